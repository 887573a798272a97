import {
  isGivenUp,
  type PaymentEvent,
  type PaymentLine,
  paymentAggregate,
} from '../../payment/index.js';
import { ACCOUNTS, readCountry, findRevenue, taxPayable } from '../accounts.js';
import { addDays, dayAt } from '../days.js';
import { classify } from '../policy.js';
import type { PaymentBooks } from './books.js';
import { credit, debit, type Details, type Leg, type PostedOn } from './legs.js';

type Captured = Extract<PaymentEvent, { readonly type: 'payment.captured.v1' }>;

/** The money has come: line by line it is owed as service or as tax, or was earned at once. */
export function captured(event: Captured, books: PaymentBooks, on: PostedOn): Leg[] {
  const payment = paymentAggregate.decider.evolve(books.payment, event);
  if (payment.status === 'none' || payment === books.payment) return [];
  const whole = BigInt(payment.amount.amountMinor);
  const clearing = debit(ACCOUNTS.gatewayClearing, whole, { gatewayRef: payment.paymentId });
  const isOwedBack =
    books.isOwedBack || (books.payment.status !== 'none' && isGivenUp(books.payment));
  if (isOwedBack) return [clearing, credit(ACCOUNTS.playerCredit, whole)];
  const country = readCountry(payment.regionCode);
  return [clearing, ...payment.lines.map((line) => creditLine(line, country, on))];
}

/** The entry of one line. */
export function creditLine(line: PaymentLine, country: string, on: PostedOn): Leg {
  const amount = BigInt(line.amount.amountMinor);
  const plan = line.origin?.planId ?? '';
  switch (line.kind) {
    case 'tax': {
      const { rate: taxRate, version: taxRatesVersion } = line.rate;
      return credit(taxPayable(country), amount, { plan, taxRate, taxRatesVersion });
    }
    case 'item': {
      const { name: itemClass, lifeDays } = classify(line.item, on.policy);
      const life = { coversFrom: on.at, coversUntil: addDays(on.at, lifeDays ?? 0) };
      return defer(ACCOUNTS.deferredItems, amount, { itemClass, ...life });
    }
    // Nothing is given back for it, and nothing has to be done for it any more.
    case 'credit_forfeited':
      return credit(ACCOUNTS.subscriptions, amount, { plan });
    default: {
      const { start = null, end = null } = line.covers ?? {};
      const day = (instant: string | null) =>
        instant === null ? on.at : dayAt(instant, on.policy.zone);
      const covers = { coversFrom: day(start), coversUntil: day(end) };
      return defer(ACCOUNTS.deferredSubscriptions, amount, { plan, ...covers });
    }
  }
}

/** Deferred over its days; where it has none, earned at once. */
export function defer(
  account: string,
  amountMinor: bigint,
  details: Details & { readonly coversFrom: string; readonly coversUntil: string },
): Leg {
  const { coversFrom, coversUntil, ...others } = details;
  if (coversFrom < coversUntil) return credit(account, amountMinor, details);
  return credit(findRevenue(account), amountMinor, others);
}
