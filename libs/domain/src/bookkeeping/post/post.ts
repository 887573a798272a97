import { idOf, type Instant, type RecordedEvent } from '../../event/index.js';
import { findOrderId, findSubscriptionId, type RequestedPayment } from '../../payment/index.js';
import { readCountry, isDeferred } from '../accounts.js';
import { bookOn, dayAt } from '../days.js';
import type { AccountingPeriod, JournalRow } from '../journal-row.js';
import type { PostingPolicy } from '../policy.js';
import { TAKEN } from '../schedule.js';
import { isOfPayment, type MoneyEvent, type PaymentBooks, type Recorded } from './books.js';
import type { EventLegs, Leg, PostedOn } from './legs.js';
import { type PostingRule, POSTINGS } from './postings.js';

/** The version of the rules; it holds from a period's first day on, and stays for good. */
export const RULES = 'rules.v1';

/** The part of a posting that no event says. */
export interface PostingContext {
  /** The event's booking number. */
  readonly leaf: bigint;
  /** The moment of the first checkpoint that has it. */
  readonly bookedAt: Instant;
  readonly policy: PostingPolicy;
  /** The last month that the app had closed at a smaller leaf; empty where there is none. */
  readonly closedThrough: AccountingPeriod;
}

/** The payments that an event concerns: one, or all of a subscription. */
export interface Subject {
  readonly kind: 'payment' | 'subscription';
  readonly id: string;
}

/** Whether it is an event of a payment, an order, a subscription or a gateway's account that this release knows. */
export function isMoneyEvent(event: RecordedEvent): event is RecordedEvent & Recorded {
  return event.type in POSTINGS;
}

/** Whether no event of a type has entries or changes those of others: it need not be read. */
export function isOfNoBooks(type: string): boolean {
  const posting = POSTINGS[type as MoneyEvent['type']] as PostingRule<MoneyEvent> | undefined;
  return posting !== undefined && 'nothing' in posting && !type.startsWith('payment.');
}

/** Whose books have to fold the event; null where it is of no concern to any. It may have entries all the same. */
export function findSubject(event: Recorded): Subject | null {
  const id = idOf(event.streamName);
  if (isOfPayment(event)) return { kind: 'payment', id };
  const posting = findRule(event);
  if ('nothing' in posting || posting.moves === 'gateway') return null;
  if (posting.moves === 'subscription') return { kind: 'subscription', id };
  // Rows that move a named payment are of events that name one.
  const { paymentId } = event.data as { readonly paymentId: string };
  return { kind: 'payment', id: paymentId };
}

/**
 * The entries of an event (rules/finance 2): its debits equal its credits.
 *
 * @param subject the books of the payments that the event concerns (`findSubject`), without the event; none where it
 *   concerns no payment.
 */
export function post(
  event: Recorded,
  subject: readonly PaymentBooks[],
  context: PostingContext,
): JournalRow[] {
  const posting = findRule(event);
  if ('nothing' in posting) return [];
  const { policy, closedThrough } = context;
  const effectiveOn = dayAt(posting.happenedAt(event.data), policy.zone);
  const { period, late, since: at } = bookOn(effectiveOn, closedThrough);
  const reason = posting.reason?.(event.data) ?? '';
  const common = { ...describe(event, context), effectiveOn, period, late, reason };
  const rows: JournalRow[] = [];
  let number = 1;
  for (const { about, legs } of findLegs(posting, event, subject, { at, policy })) {
    for (const leg of legs) {
      if (leg.amountMinor === 0n) continue;
      rows.push({ ...common, ...about, ...enter(leg, posting.rule), number });
      // The recognition of deferred money has two rows, which are named by both numbers.
      number += isDeferred(leg.account) && leg.isTaken === undefined ? 2 : 1;
    }
  }
  return rows;
}

function findLegs(
  posting: Exclude<PostingRule<MoneyEvent>, { nothing: string }>,
  event: Recorded,
  subject: readonly PaymentBooks[],
  on: PostedOn,
): readonly EventLegs[] {
  if (posting.moves === 'gateway') return posting.legs(event);
  return inOrder(subject).map((books) => ({
    about: describePayment(books.payment),
    legs: posting.legs(event, books, on, subject),
  }));
}

/** By the ids of the payments, which begin with their time: so the numbers of rows are the same each time. */
function inOrder(subject: readonly PaymentBooks[]) {
  return subject
    .filter(
      (books): books is PaymentBooks & { payment: RequestedPayment } =>
        books.payment.status !== 'none',
    )
    .sort((left, right) => (left.payment.paymentId < right.payment.paymentId ? -1 : 1));
}

/** The part of a row that all rows of an event have. */
function describe(
  { id, type, streamName, metadata }: Recorded,
  { leaf, bookedAt }: PostingContext,
) {
  const { appId: app, environment, actor } = metadata;
  return {
    ...{ app, environment, eventId: id, recognized: '', leaf, bookedAt, actor },
    ...{ eventType: type, stream: streamName },
  };
}

/** The part that all rows of a payment have. */
function describePayment({ paymentId, purpose, amount, regionCode }: RequestedPayment) {
  return {
    payment: paymentId,
    subscription: findSubscriptionId(purpose),
    order: findOrderId(purpose),
    country: readCountry(regionCode),
    currency: amount.currency,
  };
}

/** The part of a row that is its own. */
function enter({ account, amountMinor, isTaken, details }: Leg, rule: string) {
  return {
    ...{ plan: '', itemClass: '', taxRate: '', taxRatesVersion: null, gatewayRef: '' },
    ...{ coversFrom: null, coversUntil: null, ...details },
    ...{ account, side: amountMinor > 0n ? ('credit' as const) : ('debit' as const) },
    amountMinor: amountMinor > 0n ? amountMinor : -amountMinor,
    rule: `${RULES}/${rule}${isTaken === true ? TAKEN : ''}`,
  };
}

/** Each type has the posting of its own events. */
function findRule(event: Recorded): PostingRule<MoneyEvent> {
  return POSTINGS[event.type] as PostingRule<MoneyEvent>;
}
