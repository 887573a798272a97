import type { PageLocale } from '../languages/page-locale.js';
import { PageDocument, StatusNote } from './page-document.js';

/** A page where there is no offer to show: it says why in a title and a sentence. */
export function NoticePage({
  locale,
  notice,
}: {
  locale: PageLocale;
  notice: 'missing' | 'unavailable' | 'notConfigured';
}) {
  const { title, text } = locale.texts[notice];
  return (
    <PageDocument
      locale={locale}
      state={notice === 'missing' ? 'missing' : 'unavailable'}
      title={title}
    >
      <h1>{title}</h1>
      <StatusNote text={text} />
    </PageDocument>
  );
}
