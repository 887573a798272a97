/** Goods are granted by it, so no endpoint that takes types of its family can leave it out. */
const REQUIRED_TYPE = 'PURCHASE_SUCCEEDED';
/** The types of that family are in capitals; the others are of subscriptions and payments. */
const FAMILY_OF_REQUIRED = /^[A-Z_]+$/;

/** Whether an endpoint's list of types and wildcards covers an event type (rules/webhooks 7). */
export function coversEventType(eventTypes: readonly string[], type: string): boolean {
  return eventTypes.some(
    (wanted) =>
      wanted === '*' ||
      wanted === type ||
      (wanted.endsWith('.*') && type.startsWith(wanted.slice(0, -1))) ||
      (type === REQUIRED_TYPE && FAMILY_OF_REQUIRED.test(wanted)),
  );
}
