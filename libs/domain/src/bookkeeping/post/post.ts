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
  const { rule } = posting;
  const common = { event, context, rule, effectiveOn, period, late, reason };
  const rows: JournalRow[] = [];
  let number = 1;
  for (const { about, legs } of findLegs(posting, event, subject, { at, policy })) {
    for (const leg of legs) {
      if (leg.amountMinor === 0n) continue;
      rows.push(toRow(common, about, leg, number));
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

/** The part of a row that all rows of an event have. */
interface Common extends Pick<JournalRow, 'effectiveOn' | 'period' | 'late' | 'reason'> {
  readonly event: Recorded;
  readonly context: PostingContext;
  /** The name of the rule. */
  readonly rule: string;
}

/** One literal: joined out of parts, so many fields take V8 ten times as long. */
function toRow(common: Common, about: EventLegs['about'], leg: Leg, number: number): JournalRow {
  const { event, context } = common;
  const { metadata } = event;
  const { account, amountMinor, isTaken, details = {} } = leg;
  const isCredit = amountMinor > 0n;
  return {
    app: metadata.appId,
    environment: metadata.environment,
    eventId: event.id,
    number,
    recognized: '',
    leaf: context.leaf,
    bookedAt: context.bookedAt,
    effectiveOn: common.effectiveOn,
    period: common.period,
    late: common.late,
    account,
    side: isCredit ? 'credit' : 'debit',
    amountMinor: isCredit ? amountMinor : -amountMinor,
    currency: about.currency,
    rule: `${RULES}/${common.rule}${isTaken === true ? TAKEN : ''}`,
    eventType: event.type,
    stream: event.streamName,
    payment: about.payment,
    subscription: about.subscription,
    order: about.order,
    plan: details.plan ?? '',
    itemClass: details.itemClass ?? '',
    country: about.country,
    taxRate: details.taxRate ?? '',
    taxRatesVersion: details.taxRatesVersion ?? null,
    coversFrom: details.coversFrom ?? null,
    coversUntil: details.coversUntil ?? null,
    gatewayRef: details.gatewayRef ?? '',
    actor: metadata.actor,
    reason: common.reason,
  };
}

/** Each type has the posting of its own events. */
function findRule(event: Recorded): PostingRule<MoneyEvent> {
  return POSTINGS[event.type] as PostingRule<MoneyEvent>;
}
