import type { ReactNode } from 'react';
import type { PageLocale } from '../languages/page-locale.js';
import type { PageState } from './page-state.js';

/** How soon a browser without JavaScript looks for an outcome again. */
const RELOAD_SECONDS = 3;

interface PageDocumentProps {
  readonly locale: PageLocale;
  /** The script goes by it, and exchanges `main` when it changes. */
  readonly state: PageState | 'bank' | 'missing' | 'unavailable';
  readonly title: string;
  /** Whether a browser without JavaScript looks again by itself: never where a form may be filled in. */
  readonly looksAgain?: boolean;
  readonly children: ReactNode;
}

/** One whole page, with nothing inline: its style and its script are files of our own. */
export function PageDocument({
  locale,
  state,
  title,
  looksAgain = false,
  children,
}: PageDocumentProps) {
  return (
    <html lang={locale.language} dir={locale.direction}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/assets/storefront.css" />
        <script src="/assets/checkout.js" defer />
        {looksAgain && (
          <noscript>
            <meta httpEquiv="refresh" content={String(RELOAD_SECONDS)} />
          </noscript>
        )}
      </head>
      <body>
        <main data-state={state}>{children}</main>
      </body>
    </html>
  );
}

/** Where the page and its script say what happens; screen readers read it aloud when it changes. */
export function StatusNote({ text, kind }: { text: string; kind?: 'good' | 'bad' }) {
  const look = kind === undefined ? 'note' : `note ${kind}`;
  return (
    <p id="outcome" className={look} role="status" tabIndex={-1}>
      {text}
    </p>
  );
}
