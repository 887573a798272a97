import { randomBytes, randomUUID } from 'node:crypto';
import { addMilliseconds, addPeriods } from '#domain/calendar';
import type { DomainEvent, EventMetadata, Instant } from '#domain/event';
import { derivePeriodPaymentId, ENTROPY_BYTES, formatId } from '#domain/ids';
import type { PaymentEvent } from '#domain/payment';
import type { SubscriptionEvent } from '#domain/subscription';
import type { LedgerStore } from '#event-store';
import { forEachConcurrently } from '#platform';
import { periodCharge } from '../../libs/domain/src/payment/spec-support/period-charge.js';

/** Periods that are paid, the first of them by the checkout. */
const PAYMENTS = 12;
/** The events of one subscription that read models are made of. */
export const EVENTS_A_SUBSCRIPTION = PAYMENTS * 2 + 1 + (PAYMENTS - 1) * 2;

const APP = 'app_01benchhistories';
const BEGUN: Instant = '2026-01-31T10:00:00.000Z';
const MONTH = { value: 1, unit: 'month' } as const;
const AMOUNT = { amountMinor: '999', currency: 'USD' };
const METHOD = { paymentMethodSubType: 'visa', issuerBank: 'Example Bank' };
const APPENDS_AT_ONCE = 64;

/** The buyer, and the purchase. */
interface Buyer {
  readonly appId: string;
  readonly player: string;
  readonly subscriptionId: string;
  readonly linkId: string;
}

export interface HistoryOptions {
  /** Whose players they are of; no app that there is, unless given. */
  readonly appId?: string;
  /** How many periods are paid. */
  readonly payments?: number;
  /** Registers a player before the history is written; none is, unless given. */
  readonly onBuyer?: (player: string) => Promise<void>;
}

/**
 * Writes histories of subscriptions that were paid twelve times, as their deciders write them.
 *
 * @returns the ids of the subscriptions.
 */
export async function writeHistories(
  store: Pick<LedgerStore, 'append'>,
  subscriptions: number,
  { appId = APP, payments = PAYMENTS, onBuyer }: HistoryOptions = {},
): Promise<string[]> {
  const buyers = Array.from({ length: subscriptions }, () => createBuyer(appId));
  const write = async (buyer: Buyer) => {
    await onBuyer?.(buyer.player);
    await writeHistory(store, buyer, payments);
  };
  await forEachConcurrently(buyers, APPENDS_AT_ONCE, write);
  return buyers.map(({ subscriptionId }) => subscriptionId);
}

function createBuyer(appId: string): Buyer {
  const player = randomBytes(16).toString('hex');
  const newId = (prefix: string) =>
    formatId(prefix, BEGUN, player.slice(0, 2), randomBytes(ENTROPY_BYTES));
  return { appId, player, subscriptionId: newId('sub'), linkId: newId('link') };
}

async function writeHistory(
  store: Pick<LedgerStore, 'append'>,
  buyer: Buyer,
  payments: number,
): Promise<void> {
  const { subscriptionId } = buyer;
  const events: SubscriptionEvent[] = [];
  for (let number = 1; number <= payments; number += 1) {
    const dueAt = addPeriods(BEGUN, MONTH, number - 1);
    const paymentId = derivePeriodPaymentId(subscriptionId, { dueAt, attempt: 1 });
    const paid = paymentEvents(buyer, paymentId, { dueAt, number });
    await append(store, `payment-${paymentId}`, paid, buyer);
    events.push(...subscriptionEvents(buyer, paymentId, { dueAt, number }));
  }
  await append(store, `subscription-${subscriptionId}`, events, buyer);
}

function paymentEvents(
  { appId, player, subscriptionId, linkId }: Buyer,
  paymentId: string,
  { dueAt, number }: { readonly dueAt: Instant; readonly number: number },
): PaymentEvent[] {
  const charge = periodCharge({ subscriptionId, amount: AMOUNT, start: dueAt, number });
  return [
    {
      type: 'payment.requested.v3',
      data: {
        ...{ paymentId, appId, player },
        ...{ checkoutLinkId: linkId, paymentMethod: 'pm_card', ...charge },
        ...{ personal: {}, requestedAt: dueAt },
      },
    },
    { type: 'payment.captured.v1', data: { ...METHOD, capturedAt: addMilliseconds(dueAt, 1_234) } },
  ];
}

function subscriptionEvents(
  { appId, player, subscriptionId, linkId }: Buyer,
  paymentId: string,
  { dueAt, number }: { readonly dueAt: Instant; readonly number: number },
): SubscriptionEvent[] {
  const end = addPeriods(BEGUN, MONTH, number);
  const noted = { paymentId, paymentRevision: 1 };
  if (number > 1) {
    const period = { number, start: dueAt, end };
    const asked = { paymentId, period, attempt: 1, amount: AMOUNT, requestedAt: dueAt };
    return [
      { type: 'subscription.renewal_requested.v1', data: { ...asked, graceEndsAt: end } },
      {
        type: 'subscription.renewed.v1',
        data: { ...noted, dueAt, renewedAt: dueAt, currentPeriodEnd: end },
      },
    ];
  }
  const data = {
    ...{ subscriptionId, appId, player },
    ...{ planId: `plan_${subscriptionId.slice(4)}`, price: AMOUNT, period: MONTH, trial: null },
    ...{ paymentMethod: 'pm_card', checkoutLinkId: linkId },
    ...{ regionCode: 'US', personal: {}, createdAt: BEGUN, billingAnchor: BEGUN },
    ...{ currentPeriodEnd: end, trialEnd: null, initialPayment: noted },
  };
  return [{ type: 'subscription.created.v2', data }];
}

/** With metadata as the executor writes them. */
async function append(
  store: Pick<LedgerStore, 'append'>,
  streamName: string,
  events: readonly DomainEvent[],
  { appId, player }: Buyer,
): Promise<void> {
  const metadata: EventMetadata = {
    ...{ $correlationId: randomUUID(), $causationId: randomUUID(), actor: 'process:charge' },
    ...{ appId, player, environment: 'production', occurredAt: BEGUN },
    ...{ commandId: randomUUID(), commandHash: randomBytes(16).toString('hex') },
  };
  const stored = events.map(({ type, data }) => ({ id: randomUUID(), type, data, metadata }));
  await store.append(streamName, 'no_stream', stored);
}
