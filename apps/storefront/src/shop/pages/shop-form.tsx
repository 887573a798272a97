import type { ReactNode } from 'react';
import { MARKS } from './page-template.js';

interface ShopFormProps {
  readonly action: string;
  /** What names this form: sent twice, it changes nothing twice (rules/webshop 2). */
  readonly idName?: 'formId' | 'claimId';
  readonly children: ReactNode;
}

/** A form that changes something in the shop, as it is and without a script. */
export function ShopForm({ action, idName = 'formId', children }: ShopFormProps) {
  return (
    <form method="post" action={action}>
      <SessionToken />
      <input type="hidden" name={idName} value={MARKS.formId} />
      {children}
    </form>
  );
}

/** What says that a form is of a page of the session. */
export function SessionToken() {
  return <input type="hidden" name="csrf" value={MARKS.csrf} />;
}
