import type { PageLocale } from '../languages/page-locale.js';
import { Button, Card } from './parts.js';
import type { NoticeFrame } from './notice-page.js';
import { PageDocument, StatusNote } from './page-document.js';

export interface CatalogFailedPageProps extends NoticeFrame {
  readonly locale: PageLocale;
  /** By it the operator finds the error. */
  readonly reference: string;
  /** The page that was asked for. */
  readonly retryAt: string;
}

/** In the place of the shop, where the studio's backend did not list its items. */
export function CatalogFailedPage({
  locale,
  reference,
  retryAt,
  ...frame
}: CatalogFailedPageProps) {
  const { catalogFailed, shop } = locale.texts;
  const { pathname, searchParams } = new URL(retryAt, 'https://shop.invalid');
  return (
    <PageDocument
      locale={locale}
      state="unavailable"
      title={catalogFailed.title}
      script="shop"
      {...frame}
    >
      <Card>
        <h1>{catalogFailed.title}</h1>
        <StatusNote text={catalogFailed.text} kind="bad" />
        <form method="get" action={pathname}>
          {[...searchParams].map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <Button>{shop.tryAgain}</Button>
        </form>
        <p className="terms">{catalogFailed.reference({ reference })}</p>
      </Card>
    </PageDocument>
  );
}
