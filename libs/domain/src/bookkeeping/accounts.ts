/** The accounts by their default names (rules/finance 1). An app maps them to its own numbers when it exports. */
export const ACCOUNTS = {
  gatewayClearing: 'assets:gateway-clearing',
  bank: 'assets:bank',
  disputesReceivable: 'assets:disputes-receivable',
  deferredSubscriptions: 'liabilities:deferred-subscriptions',
  deferredItems: 'liabilities:deferred-items',
  playerCredit: 'liabilities:player-credit',
  subscriptions: 'income:subscriptions',
  items: 'income:items',
  refunds: 'income:refunds',
  disputes: 'income:disputes',
  gatewayFees: 'expenses:gateway-fees',
  disputeFees: 'expenses:dispute-fees',
  exchangeDifferences: 'expenses:exchange-differences',
} as const;

/** CLDR's code of an unknown region. */
const UNKNOWN_COUNTRY = 'ZZ';
const TAX_PAYABLE = 'liabilities:tax-payable:';

/** Tax that is owed to a country. @param country `DE`; empty where it is not known. */
export function taxPayable(country: string): string {
  return TAX_PAYABLE + (country || UNKNOWN_COUNTRY);
}

/** The country of a CLDR region: `US` of `US-NY`; empty where the region is. */
export function readCountry(regionCode: string): string {
  return regionCode.split('-')[0] ?? '';
}

/** The revenue account of each deferred one. */
const EARNED_IN: ReadonlyMap<string, string> = new Map([
  [ACCOUNTS.deferredSubscriptions, ACCOUNTS.subscriptions],
  [ACCOUNTS.deferredItems, ACCOUNTS.items],
]);

/** Whether an account holds money that is not earned yet. */
export function isDeferred(account: string): boolean {
  return EARNED_IN.has(account);
}

/** The revenue account of a deferred one. @throws Error for any other account: then we were wrong. */
export function findRevenue(deferred: string): string {
  const revenue = EARNED_IN.get(deferred);
  if (revenue === undefined) throw new Error(`nothing is deferred on ${deferred}`);
  return revenue;
}
