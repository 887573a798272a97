/** Where players live, and what tax is on their payments; the rate is a fraction of these two numbers. */
export const REGIONS = {
  FR: null,
  DE: { rate: '0.19', of: [19n, 100n], inclusive: true },
  'US-NY': { rate: '0.08875', of: [8875n, 100_000n], inclusive: false },
} as const;
export type Region = keyof typeof REGIONS;

export type Context =
  'INITIAL' | 'RENEWAL' | 'RENEWAL_RETRY' | 'PLAN_CHANGE' | 'PAYMENT_METHOD_UPDATE';

/** A payment as the rules say that it is; amounts in minor units. */
export interface ModelPayment {
  readonly context: Context;
  /** With the tax. */
  readonly cents: number;
  /** Null where no rate is set. */
  readonly tax: number | null;
  readonly covers: { readonly start: number; readonly end: number };
  readonly captured: boolean;
  refunded: number;
  /** In disputes that were lost. */
  lost: number;
  /** Open ones. */
  readonly disputes: { readonly id: string; readonly cents: number }[];
}

type Priced = Pick<ModelPayment, 'cents' | 'tax'>;

/** What a period at this price costs in a region (rules/payments 8). */
export function priceIn(region: Region, price: number): Priced {
  const rate = REGIONS[region];
  if (rate === null) return { cents: price, tax: null };
  const [part, whole] = rate.of;
  const tax = halfEven(BigInt(price) * part, rate.inclusive ? whole + part : whole);
  return { cents: rate.inclusive ? price : price + tax, tax };
}

export function addUp(left: Priced, right: Priced): Priced {
  const tax = left.tax === null || right.tax === null ? null : left.tax + right.tax;
  return { cents: left.cents + right.cents, tax };
}

/** What can still be given back, or disputed. */
export function remaining({ cents, captured, refunded, lost, disputes }: ModelPayment): number {
  const open = disputes.reduce((sum, dispute) => sum + dispute.cents, 0);
  return captured ? cents - refunded - lost - open : 0;
}

export function statusName({ cents, captured, refunded, lost, disputes }: ModelPayment): string {
  if (!captured) return 'FAILED';
  if (disputes.length > 0) return 'DISPUTED';
  if (refunded + lost === cents) return 'REFUNDED';
  return refunded + lost === 0 ? 'SUCCEEDED' : 'PARTIALLY_REFUNDED';
}

/** What its lines say: the price without the tax, then the tax. */
export function linesIn({ cents, tax }: ModelPayment) {
  if (tax === null) return [{ kind: 'recurring', amountCents: String(cents) }];
  return [
    { kind: 'recurring', amountCents: String(cents - tax) },
    { kind: 'tax', amountCents: String(tax) },
  ];
}

export function halfEven(numerator: bigint, denominator: bigint): number {
  const whole = numerator / denominator;
  const twice = 2n * (numerator % denominator);
  const isUp = twice > denominator || (twice === denominator && whole % 2n === 1n);
  return Number(isUp ? whole + 1n : whole);
}
