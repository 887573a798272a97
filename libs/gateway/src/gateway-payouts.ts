/** A row of a gateway's account, by the names of the columns of Stripe's reports (rules/finance 32). */
export type PayoutRow = Readonly<Record<string, string>>;

/** Reads the rows of a payout at a gateway; undefined where the account has no such payout. @throws Fault. */
export type ReadPayout = (
  payoutId: string,
  signal: AbortSignal,
) => Promise<readonly PayoutRow[] | undefined>;
