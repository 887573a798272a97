import type { ReactNode } from 'react';
import type { PageLocale } from '../languages/page-locale.js';
import type { PageBrand } from '../brand/page-brand.js';
import { Card } from './parts.js';
import { PageDocument, StatusNote } from './page-document.js';

/** The notices shown where there is no offer: the state by which the scripts know each page, and its HTTP status. */
export const NOTICES = {
  missing: { state: 'missing', status: 404 },
  unavailable: { state: 'unavailable', status: 503 },
  notConfigured: { state: 'unavailable', status: 200 },
  noSession: { state: 'notice', status: 401 },
  signedOut: { state: 'notice', status: 200 },
  linkSpent: { state: 'notice', status: 403 },
  missingItem: { state: 'missing', status: 404 },
  formRefused: { state: 'notice', status: 403 },
  formInvalid: { state: 'notice', status: 400 },
} as const;
export type Notice = keyof typeof NOTICES;

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
      state={NOTICES[notice].state}
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
