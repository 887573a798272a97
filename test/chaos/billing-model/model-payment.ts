import type { Period } from './model-dates.js';
import { type AppliedRate, toFraction } from './model-tax.js';

export type Context =
  'INITIAL' | 'RENEWAL' | 'RENEWAL_RETRY' | 'PLAN_CHANGE' | 'PAYMENT_METHOD_UPDATE';

export interface ModelInterval {
  readonly start: number;
  readonly end: number;
}

/** The price of a plan's period, and the plan. */
interface PlanPrice {
  readonly code: string;
  readonly cents: number;
  readonly period: Period;
}

/** One line of a payment (rules/payments 8). */
export interface ModelLine {
  readonly kind:
    | 'recurring'
    | 'proration_charge'
    | 'proration_credit'
    | 'credit_forfeited'
    | 'credit_refunded'
    | 'tax';
  readonly cents: number;
  readonly covers: ModelInterval;
  readonly plan: PlanPrice;
  /** Of a tax. */
  readonly rate: AppliedRate | null;
}

/** Some time at the price of a plan, and its amount, as the player sees it. */
export interface ModelTime {
  readonly cents: number;
  readonly covers: ModelInterval;
  readonly plan: PlanPrice;
}

/** A payment as the rules say that it is; amounts in minor units. */
export interface ModelPayment {
  readonly context: Context;
  readonly lines: readonly ModelLine[];
  /** With the tax. */
  readonly cents: number;
  /** Null where no rate is set. */
  readonly tax: number | null;
  captured: boolean;
  /** Its gateway has not answered, and it is not given up yet. */
  isPending: boolean;
  /** The page on which the player can still confirm or decline it. */
  bankUrl: string | null;
  refunded: number;
  /** In disputes that were lost. */
  lost: number;
  /** Open ones. */
  readonly disputes: { readonly id: string; readonly cents: number }[];
}

type Priced = Pick<ModelPayment, 'cents' | 'tax'>;

/** The lines of a period at this price and rate (rules/payments 8). */
function taxed(rate: AppliedRate | null, price: number): Priced {
  if (rate === null) return { cents: price, tax: null };
  const [part, whole] = toFraction(rate.rate);
  const tax = halfEven(BigInt(price) * part, rate.inclusive ? whole + part : whole);
  return { cents: rate.inclusive ? price : price + tax, tax };
}

/** The lines of a whole period. */
export function periodLines(
  rate: AppliedRate | null,
  { cents: price, covers, plan }: ModelTime,
): ModelLine[] {
  const { cents, tax } = taxed(rate, price);
  const about = { covers, plan };
  const line: ModelLine = { kind: 'recurring', cents: cents - (tax ?? 0), ...about, rate: null };
  return [line, ...taxLines(tax, { ...about, rate })];
}

/** The lines of a change: the tax is on the difference, and an inclusive one is in both of its parts. */
export function changeLines(
  rate: AppliedRate | null,
  charged: ModelTime,
  credited: ModelTime & { readonly isRefunded: boolean },
): ModelLine[] {
  const used = Math.min(credited.cents, charged.cents);
  const { cents, tax } = taxed(rate, charged.cents - used);
  const netPrice = (price: number) =>
    rate?.inclusive === true ? price - (taxed(rate, price).tax ?? 0) : price;
  const { covers, plan } = charged;
  const charge = cents - (tax ?? 0) + netPrice(used);
  const about = { covers, plan };
  const lines: ModelLine[] = [{ kind: 'proration_charge', cents: charge, ...about, rate: null }];
  const unused = netPrice(credited.cents);
  const { isRefunded, ...former } = credited;
  if (unused > 0) {
    lines.push({ ...former, kind: 'proration_credit', cents: -unused, rate: null });
  }
  const rest = unused - netPrice(used);
  const kind = isRefunded ? 'credit_refunded' : 'credit_forfeited';
  if (rest > 0) lines.push({ ...former, kind, cents: rest, rate: null });
  return [...lines, ...taxLines(tax, { ...about, rate })];
}

function taxLines(tax: number | null, about: Omit<ModelLine, 'cents' | 'kind'>): ModelLine[] {
  return tax === null ? [] : [{ kind: 'tax', cents: tax, ...about }];
}

export function sumLines(lines: readonly ModelLine[]): Priced {
  const sum = (all: readonly ModelLine[]) => all.reduce((total, { cents }) => total + cents, 0);
  const taxes = lines.filter(({ kind }) => kind === 'tax');
  return { cents: sum(lines), tax: taxes.length === 0 ? null : sum(taxes) };
}

/** A part of a price with the tax that was added to it when it was paid. */
export function withAddedTax(price: number, lines: readonly ModelLine[]): number {
  const added = lines.filter(({ rate }) => rate?.inclusive === false);
  const { cents } = sumLines(lines);
  const charged = cents - sumLines(added).cents;
  return charged === 0 ? price : halfEven(BigInt(cents) * BigInt(price), BigInt(charged));
}

/** The amount that can still be given back, or disputed. */
export function remaining({ cents, captured, refunded, lost, disputes }: ModelPayment): number {
  const open = disputes.reduce((sum, dispute) => sum + dispute.cents, 0);
  return captured ? cents - refunded - lost - open : 0;
}

export function statusName(payment: ModelPayment): string {
  const { cents, captured, isPending, refunded, lost, disputes } = payment;
  if (isPending) return 'PENDING';
  if (!captured) return 'FAILED';
  if (disputes.length > 0) return 'DISPUTED';
  if (refunded + lost === cents) return 'REFUNDED';
  return refunded + lost === 0 ? 'SUCCEEDED' : 'PARTIALLY_REFUNDED';
}

export function halfEven(numerator: bigint, denominator: bigint): number {
  const whole = numerator / denominator;
  const twice = 2n * (numerator % denominator);
  const isUp = twice > denominator || (twice === denominator && whole % 2n === 1n);
  return Number(isUp ? whole + 1n : whole);
}
