import { randomBytes, randomUUID } from 'node:crypto';
import { addMilliseconds, addPeriods } from '#domain/calendar';
import type { DomainEvent, EventMetadata, Instant } from '#domain/event';
import { derivePeriodPaymentId, ENTROPY_BYTES, formatId } from '#domain/ids';
import type { PaymentEvent } from '#domain/payment';
import type { PersonalTexts } from '#domain/personal-data';
import type { SubscriptionEvent } from '#domain/subscription';
import type { EventToAppend, LedgerStore } from '#event-store';
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

/** A player buys, and these periods are paid. */
interface Purchase {
  readonly appId: string;
  readonly environment: EventMetadata['environment'];
  readonly player: string;
  readonly personal: PersonalTexts;
  readonly begun: Instant;
  /** The first period that is paid: the second one where the first is free. */
  readonly firstPaid: 1 | 2;
  /** How many periods are paid. */
  readonly payments: number;
}

/** A purchase with the ids of its subscription and its link. */
interface Buyer extends Purchase {
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
  const players = Array.from({ length: subscriptions }, () => randomBytes(16).toString('hex'));
  const purchase = { appId, environment: 'production', personal: {}, begun: BEGUN } as const;
  const ids: string[] = [];
  await forEachConcurrently(players, APPENDS_AT_ONCE, async (player) => {
    await onBuyer?.(player);
    ids.push(await writeHistory(store, { ...purchase, player, firstPaid: 1, payments }));
  });
  return ids;
}

/** Writes one of them. @returns the id of the subscription. */
export async function writeHistory(
  store: Pick<LedgerStore, 'append'>,
  purchase: Purchase,
): Promise<string> {
  const { begun, firstPaid, payments } = purchase;
  const newId = (prefix: string) =>
    formatId(prefix, begun, purchase.player.slice(0, 2), randomBytes(ENTROPY_BYTES));
  const buyer = { ...purchase, subscriptionId: newId('sub'), linkId: newId('link') };
  const { subscriptionId } = buyer;
  const events: SubscriptionEvent[] = firstPaid === 1 ? [] : [created(buyer, null)];
  for (let number = firstPaid; number < firstPaid + payments; number += 1) {
    const dueAt = addPeriods(begun, MONTH, number - 1);
    const paymentId = derivePeriodPaymentId(subscriptionId, { dueAt, attempt: 1 });
    const paid = paymentEvents(buyer, paymentId, { dueAt, number });
    await append(store, `payment-${paymentId}`, paid, buyer);
    if (number === 1) events.push(created(buyer, paymentId));
    else events.push(...renewal(buyer, paymentId, { dueAt, number }));
  }
  await append(store, `subscription-${subscriptionId}`, events, buyer);
  return subscriptionId;
}

/** With metadata as the executor writes them. */
export function toStored(
  { type, data }: DomainEvent,
  { appId, player, environment }: Pick<Purchase, 'appId' | 'player' | 'environment'>,
  actor: string,
  occurredAt: Instant,
): EventToAppend {
  const metadata: EventMetadata = {
    ...{ $correlationId: randomUUID(), $causationId: randomUUID(), actor },
    ...{ appId, player, environment, occurredAt },
    ...{ commandId: randomUUID(), commandHash: randomBytes(16).toString('hex') },
  };
  return { id: randomUUID(), type, data, metadata };
}

interface Due {
  readonly dueAt: Instant;
  readonly number: number;
}

function paymentEvents(
  { appId, player, personal, subscriptionId, linkId }: Buyer,
  paymentId: string,
  { dueAt, number }: Due,
): PaymentEvent[] {
  const charge = periodCharge({ subscriptionId, amount: AMOUNT, start: dueAt, number });
  return [
    {
      type: 'payment.requested.v3',
      data: {
        ...{ paymentId, appId, player },
        ...{ checkoutLinkId: linkId, paymentMethod: 'pm_card', ...charge },
        ...{ personal, requestedAt: dueAt },
      },
    },
    { type: 'payment.captured.v1', data: { ...METHOD, capturedAt: addMilliseconds(dueAt, 1_234) } },
  ];
}

/** @param paymentId of the checkout; null where the first period is free. */
function created(buyer: Buyer, paymentId: string | null): SubscriptionEvent {
  const { appId, player, personal, subscriptionId, linkId, begun } = buyer;
  const data = {
    ...{ subscriptionId, appId, player },
    ...{ planId: `plan_${subscriptionId.slice(4)}`, price: AMOUNT, period: MONTH, trial: null },
    ...{ paymentMethod: 'pm_card', checkoutLinkId: linkId },
    ...{ regionCode: 'US', personal, createdAt: begun, billingAnchor: begun },
    ...{ currentPeriodEnd: addPeriods(begun, MONTH, 1), trialEnd: null },
    initialPayment: paymentId === null ? null : { paymentId, paymentRevision: 1 },
  };
  return { type: 'subscription.created.v2', data };
}

function renewal({ begun }: Buyer, paymentId: string, { dueAt, number }: Due): SubscriptionEvent[] {
  const end = addPeriods(begun, MONTH, number);
  const period = { number, start: dueAt, end };
  const asked = { paymentId, period, attempt: 1, amount: AMOUNT, requestedAt: dueAt };
  const renewed = { paymentId, paymentRevision: 1, dueAt, renewedAt: dueAt, currentPeriodEnd: end };
  return [
    { type: 'subscription.renewal_requested.v1', data: { ...asked, graceEndsAt: end } },
    { type: 'subscription.renewed.v1', data: renewed },
  ];
}

async function append(
  store: Pick<LedgerStore, 'append'>,
  streamName: string,
  events: readonly DomainEvent[],
  buyer: Buyer,
): Promise<void> {
  const stored = events.map((event) => toStored(event, buyer, 'process:charge', buyer.begun));
  await store.append(streamName, 'no_stream', stored);
}
