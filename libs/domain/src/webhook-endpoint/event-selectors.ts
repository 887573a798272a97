/** Goods are granted by it, so no endpoint that takes types of its family can leave it out. */
const REQUIRED_TYPE = 'PURCHASE_SUCCEEDED';
/** The types of that family, v1, are in capitals; those of v2 are of subscriptions, payments and disputes. */
const OF_V1 = /^[A-Z_]+$/;

/**
 * The type by which an endpoint witnesses the whole ledger: no wildcard and no family has it, since the sizes tell how
 * busy all apps are (rules/evidence 10).
 */
export const LEDGER_SEALED = 'ledger.sealed';

/** Whether an endpoint's list of types, wildcards and families covers an event type (rules/webhooks 7). */
export function coversEventType(eventTypes: readonly string[], type: string): boolean {
  if (type === LEDGER_SEALED) return eventTypes.includes(LEDGER_SEALED);
  return eventTypes.some(
    (wanted) =>
      wanted === '*' ||
      wanted === type ||
      (wanted.endsWith('.*') && type.startsWith(wanted.slice(0, -1))) ||
      (wanted === 'v1' && OF_V1.test(type)) ||
      (wanted === 'v2' && !OF_V1.test(type)) ||
      (type === REQUIRED_TYPE && OF_V1.test(wanted)),
  );
}
