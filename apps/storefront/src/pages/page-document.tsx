import type { ReactNode } from 'react';
import { accentAddress, type PageBrand } from '../brand/page-brand.js';
import type { PageLocale } from '../languages/page-locale.js';
import { PageFooter } from './page-footer.js';
import { PageHeader } from './page-header.js';
import type { PageState } from './page-state.js';

/** How soon a browser without JavaScript looks for an outcome again. */
const RELOAD_SECONDS = 3;

interface PageDocumentProps {
  readonly locale: PageLocale;
  /** The script goes by it, and exchanges `main` when it changes. */
  readonly state: PageState | 'bank' | 'entrance' | 'missing' | 'notice' | 'shop' | 'unavailable';
  readonly title: string;
  /** Whom the page is of; undefined where that is not known. */
  readonly brand?: PageBrand | undefined;
  /** Where the head of the page leads, beside the brand. */
  readonly navigation?: ReactNode;
  /** One column of text, two columns of which the first one sums up, or all the width for a shelf of items. */
  readonly layout?: 'narrow' | 'split' | 'wide';
  /** Whether a browser without JavaScript looks again by itself: never where a form may be filled in. */
  readonly looksAgain?: boolean;
  /** Whether the script tells that the page was opened: a preview of a chat program runs none (rules/orders 6). */
  readonly tellsOpening?: boolean | undefined;
  /** The page's own script: it works without. */
  readonly script?: 'checkout' | 'entrance' | 'shop';
  readonly children: ReactNode;
}

/** One whole page, with nothing inline: its styles and its script are files of our own. */
export function PageDocument(props: PageDocumentProps) {
  const { locale, state, brand, navigation, layout = 'narrow', tellsOpening, children } = props;
  return (
    <html lang={locale.language} dir={locale.direction}>
      <Head {...props} />
      <body>
        {brand !== undefined && (
          <PageHeader locale={locale} brand={brand}>
            {navigation}
          </PageHeader>
        )}
        <main
          id="main"
          className={layout}
          data-state={state}
          {...(tellsOpening === true && { 'data-tells-opening': '' })}
        >
          {children}
        </main>
        {brand !== undefined && <PageFooter locale={locale} brand={brand} />}
      </body>
    </html>
  );
}

function Head({ title, brand, looksAgain = false, script = 'checkout' }: PageDocumentProps) {
  const accent = brand && accentAddress(brand);
  return (
    <head>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      <title>{title}</title>
      <link rel="icon" href="data:," />
      <link rel="stylesheet" href="/assets/storefront.css" />
      {script === 'shop' && <link rel="stylesheet" href="/assets/shop.css" />}
      {accent !== undefined && <link rel="stylesheet" href={accent} />}
      <script src={`/assets/${script}.js`} defer />
      {looksAgain && (
        <noscript>
          <meta httpEquiv="refresh" content={String(RELOAD_SECONDS)} />
        </noscript>
      )}
    </head>
  );
}

/** The note in which the page and its script report; screen readers read it aloud when it changes. */
export function StatusNote({ text, kind }: { text: string; kind?: 'good' | 'bad' }) {
  const look = kind === undefined ? 'note' : `note ${kind}`;
  return (
    <p id="outcome" className={look} role="status" tabIndex={-1}>
      {text}
    </p>
  );
}
