/** Goods are granted by it, so no endpoint that takes types of its family can leave it out. */
const REQUIRED_TYPE = 'PURCHASE_SUCCEEDED';
/** The types of that family, v1, are in capitals; those of v2 are of subscriptions, payments and disputes. */
const OF_V1 = /^[A-Z_]+$/;

/** Whether an endpoint's list of types, wildcards and families covers an event type (rules/webhooks 7). */
export function coversEventType(eventTypes: readonly string[], type: string): boolean {
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
