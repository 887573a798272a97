import { randomUUID } from 'node:crypto';
import type { ReactNode } from 'react';

interface ShopFormProps {
  readonly action: string;
  readonly csrf: string;
  /** What names this form: sent twice, it changes nothing twice (rules/webshop 2). */
  readonly idName?: 'formId' | 'claimId';
  readonly children: ReactNode;
}

/** A form that changes something in the shop, as it is and without a script. */
export function ShopForm({ action, csrf, idName = 'formId', children }: ShopFormProps) {
  return (
    <form method="post" action={action}>
      <input type="hidden" name="csrf" value={csrf} />
      <input type="hidden" name={idName} value={randomUUID()} />
      {children}
    </form>
  );
}
