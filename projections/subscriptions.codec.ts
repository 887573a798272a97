import type { StartedSubscription, Subscription } from '#domain/subscription';
import {
  packInstant,
  type PackedInstant,
  readBase,
  type StateCodec,
  unpackInstant,
} from '#projection-engine/define';
import {
  codecForExisting,
  packChoice,
  STORED_SUBSCRIPTION_STATUSES,
  unpackChoice,
} from './packed-values.js';

type Started = StartedSubscription;

/** The values in their order. Those that a running subscription has come first. */
type Packed = readonly [
  status: number,
  appId: string,
  player: string,
  externalAccountId: string,
  planId: string,
  amountMinor: string,
  currency: string,
  periodValue: number,
  periodUnit: Started['period']['unit'],
  paymentMethod: string,
  checkoutLinkId: string,
  createdAt: PackedInstant,
  billingAnchor: PackedInstant,
  currentPeriodEnd: PackedInstant,
  periodsPaid: number,
  messageCount: number,
  regionCode?: string | null,
  referenceId?: string | null,
  metadata?: Started['metadata'] | null,
  trial?: Started['trial'],
  trialEnd?: PackedInstant | null,
  canceledAt?: PackedInstant | null,
  cancelAtPeriodEnd?: true | null,
  expiredAt?: PackedInstant | null,
  dunning?: Started['dunning'],
  pendingCharge?: Started['pendingCharge'],
];

/** How subscriptions are stored; nothing is kept of one that is not there. */
export const subscriptionCodec: StateCodec<Subscription> = codecForExisting(
  packSubscription,
  unpackSubscription,
);

function packSubscription(subscription: Started): Packed {
  const { price, period, metadata } = subscription;
  const createdAt = packInstant(subscription.createdAt, 0);
  const base = readBase(createdAt);
  return [
    packChoice(STORED_SUBSCRIPTION_STATUSES, subscription.status),
    subscription.appId,
    subscription.player,
    subscription.externalAccountId,
    subscription.planId,
    price.amountMinor,
    price.currency,
    period.value,
    period.unit,
    subscription.paymentMethod,
    subscription.checkoutLinkId,
    createdAt,
    packInstant(subscription.billingAnchor, base),
    packInstant(subscription.currentPeriodEnd, base),
    subscription.periodsPaid,
    subscription.messageCount,
    subscription.regionCode || null,
    subscription.referenceId || null,
    Object.keys(metadata).length === 0 ? null : metadata,
    subscription.trial,
    packInstant(subscription.trialEnd, base),
    packInstant(subscription.canceledAt, base),
    subscription.cancelAtPeriodEnd || null,
    packInstant(subscription.expiredAt, base),
    subscription.dunning,
    subscription.pendingCharge,
  ];
}

function unpackSubscription(packed: Packed, subscriptionId: string): Started {
  const [status, appId, player, externalAccountId, planId, amountMinor, currency] = packed;
  const [, , , , , , , value, unit, paymentMethod, checkoutLinkId, createdAt] = packed;
  const base = readBase(createdAt);
  return {
    subscriptionId,
    appId,
    player,
    externalAccountId,
    planId,
    price: { amountMinor, currency },
    period: { value, unit },
    trial: packed[19] ?? null,
    paymentMethod,
    checkoutLinkId,
    regionCode: packed[16] ?? '',
    referenceId: packed[17] ?? '',
    metadata: packed[18] ?? {},
    createdAt: unpackInstant(createdAt, 0),
    billingAnchor: unpackInstant(packed[12], base),
    currentPeriodEnd: unpackInstant(packed[13], base),
    trialEnd: unpackInstant(packed[20] ?? null, base),
    status: unpackChoice(STORED_SUBSCRIPTION_STATUSES, status),
    periodsPaid: packed[14],
    canceledAt: unpackInstant(packed[21] ?? null, base),
    cancelAtPeriodEnd: packed[22] === true,
    expiredAt: unpackInstant(packed[23] ?? null, base),
    dunning: packed[24] ?? null,
    pendingCharge: packed[25] ?? null,
    messageCount: packed[15],
  };
}
