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
  personal?: Started['personal'] | null,
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
  const { price, period, personal } = subscription;
  const createdAt = packInstant(subscription.createdAt, 0);
  const base = readBase(createdAt);
  return [
    packChoice(STORED_SUBSCRIPTION_STATUSES, subscription.status),
    subscription.appId,
    subscription.player,
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
    Object.keys(personal).length === 0 ? null : personal,
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
  const [status, appId, player, planId, amountMinor, currency] = packed;
  const [, , , , , , value, unit, paymentMethod, checkoutLinkId, createdAt] = packed;
  const base = readBase(createdAt);
  return {
    subscriptionId,
    appId,
    player,
    planId,
    price: { amountMinor, currency },
    period: { value, unit },
    trial: packed[17] ?? null,
    paymentMethod,
    checkoutLinkId,
    regionCode: packed[15] ?? '',
    personal: packed[16] ?? {},
    createdAt: unpackInstant(createdAt, 0),
    billingAnchor: unpackInstant(packed[11], base),
    currentPeriodEnd: unpackInstant(packed[12], base),
    trialEnd: unpackInstant(packed[18] ?? null, base),
    status: unpackChoice(STORED_SUBSCRIPTION_STATUSES, status),
    periodsPaid: packed[13],
    canceledAt: unpackInstant(packed[19] ?? null, base),
    cancelAtPeriodEnd: packed[20] === true,
    expiredAt: unpackInstant(packed[21] ?? null, base),
    dunning: packed[22] ?? null,
    pendingCharge: packed[23] ?? null,
    messageCount: packed[14],
  };
}
