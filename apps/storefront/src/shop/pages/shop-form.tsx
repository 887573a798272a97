import { randomUUID } from 'node:crypto';
import { createContext, type ReactNode, useContext } from 'react';

/** The token of the session that a page is rendered for: every form of the page carries it. */
export const CsrfToken = createContext('');

interface ShopFormProps {
  readonly action: string;
  /** The field that names this form: sent twice, it changes nothing twice (rules/webshop 2). */
  readonly idName?: 'formId' | 'claimId';
  readonly children: ReactNode;
}

/** A form that changes something in the shop, as it is and without a script. */
export function ShopForm({ action, idName = 'formId', children }: ShopFormProps) {
  return (
    <form method="post" action={action}>
      <SessionToken />
      <input type="hidden" name={idName} value={randomUUID()} />
      {children}
    </form>
  );
}

/** The field that says that a form is of a page of the session. */
export function SessionToken() {
  return <input type="hidden" name="csrf" value={useContext(CsrfToken)} />;
}
