import type { ReactNode } from 'react';
import type { PageLocale } from '../languages/page-locale.js';
import type { PageBrand } from '../brand/page-brand.js';
import { Card } from './parts.js';
import { PageDocument, StatusNote } from './page-document.js';

/** The states by which the scripts know a page. */
const STATES = {
  missing: 'missing',
  unavailable: 'unavailable',
  notConfigured: 'unavailable',
  noSession: 'notice',
  signedOut: 'notice',
  linkSpent: 'notice',
  missingItem: 'missing',
  formRefused: 'notice',
  formInvalid: 'notice',
} as const;
type Notice = keyof typeof STATES;

/** Whom a page without an offer is of, as far as that is known. */
export interface NoticeFrame {
  readonly brand?: PageBrand | undefined;
  /** Where its head leads, in the shop. */
  readonly navigation?: ReactNode;
}

/** A page where there is no offer to show: it says why in a title and a sentence. */
export function NoticePage({
  locale,
  notice,
  ...frame
}: NoticeFrame & { readonly locale: PageLocale; readonly notice: Notice }) {
  const { title, text } = locale.texts[notice === 'formInvalid' ? 'formRefused' : notice];
  return (
    <PageDocument
      locale={locale}
      state={STATES[notice]}
      title={title}
      {...frame}
      {...(frame.navigation !== undefined && { script: 'shop' })}
    >
      <Card>
        <h1>{title}</h1>
        <StatusNote text={text} />
      </Card>
    </PageDocument>
  );
}
