import type { PageLocale } from '../languages/page-locale.js';
import type { PageBrand } from '../brand/page-brand.js';
import { Card } from './card.js';
import { PageDocument, StatusNote } from './page-document.js';

/** A page where there is no offer to show: it says why in a title and a sentence. */
export function NoticePage({
  locale,
  notice,
  brand,
}: {
  locale: PageLocale;
  notice: 'missing' | 'unavailable' | 'notConfigured';
  brand?: PageBrand | undefined;
}) {
  const { title, text } = locale.texts[notice];
  return (
    <PageDocument
      locale={locale}
      state={notice === 'missing' ? 'missing' : 'unavailable'}
      title={title}
      brand={brand}
    >
      <Card>
        <h1>{title}</h1>
        <StatusNote text={text} />
      </Card>
    </PageDocument>
  );
}
