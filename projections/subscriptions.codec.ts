import { dayOfMonth } from '#domain/calendar';
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
  currentPeriodStart: PackedInstant,
  paidBy?: string | null,
  regionCode?: string | null,
  personal?: Started['personal'] | null,
  trial?: Started['trial'],
  trialEnd?: PackedInstant | null,
  canceledAt?: PackedInstant | null,
  cancelAtPeriodEnd?: true | null,
  expiredAt?: PackedInstant | null,
  dunning?: Started['dunning'],
  pendingCharge?: Started['pendingCharge'],
  pendingChange?: Started['pendingChange'],
  scheduledChange?: Started['scheduledChange'],
  periodsBeforeAnchor?: number | null,
  /** Where its price is not the one that it was bought at. */
  priceLockedAt?: PackedInstant | null,
  lateCaptures?: Started['lateCaptures'] | null,
  /** Where it is not that of the period's end. */
  billingDay?: number | null,
  claimId?: string | null,
  scheduledClaimId?: string | null,
  freedClaimIds?: Started['freedClaimIds'] | null,
];

/** How subscriptions are stored; nothing is kept of one that is not there. */
export const subscriptionCodec: StateCodec<Subscription> = codecForExisting(
  packSubscription,
  unpackSubscription,
);

function packSubscription(subscription: Started): Packed {
  const { price, period, personal, priceLockedAt, billingDay } = subscription;
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
    packInstant(subscription.currentPeriodStart, base),
    subscription.paidBy,
    subscription.regionCode || null,
    Object.keys(personal).length === 0 ? null : personal,
    subscription.trial,
    packInstant(subscription.trialEnd, base),
    packInstant(subscription.canceledAt, base),
    subscription.cancelAtPeriodEnd || null,
    packInstant(subscription.expiredAt, base),
    subscription.dunning,
    subscription.pendingCharge,
    subscription.pendingChange,
    subscription.scheduledChange,
    subscription.periodsBeforeAnchor || null,
    packInstant(priceLockedAt === subscription.createdAt ? null : priceLockedAt, base),
    subscription.lateCaptures.length === 0 ? null : subscription.lateCaptures,
    billingDay === dayOfMonth(subscription.currentPeriodEnd) ? null : billingDay,
    subscription.claimId || null,
    subscription.scheduledClaimId || null,
    subscription.freedClaimIds.length === 0 ? null : subscription.freedClaimIds,
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
    trial: packed[19] ?? null,
    paymentMethod,
    checkoutLinkId,
    regionCode: packed[17] ?? '',
    personal: packed[18] ?? {},
    createdAt: unpackInstant(createdAt, 0),
    billingAnchor: unpackInstant(packed[11], base),
    ...unpackPeriod(packed, base),
    trialEnd: unpackInstant(packed[20] ?? null, base),
    status: unpackChoice(STORED_SUBSCRIPTION_STATUSES, status),
    currentPeriodStart: unpackInstant(packed[15], base),
    periodsPaid: packed[13],
    canceledAt: unpackInstant(packed[21] ?? null, base),
    cancelAtPeriodEnd: packed[22] === true,
    expiredAt: unpackInstant(packed[23] ?? null, base),
    dunning: packed[24] ?? null,
    pendingCharge: packed[25] ?? null,
    pendingChange: packed[26] ?? null,
    scheduledChange: packed[27] ?? null,
    periodsBeforeAnchor: packed[28] ?? 0,
    priceLockedAt: unpackInstant(packed[29] ?? null, base) ?? unpackInstant(createdAt, 0),
    lateCaptures: packed[30] ?? [],
    ...unpackClaims(packed),
    messageCount: packed[14],
  };
}

/** The claims by which it has its plan. */
function unpackClaims(packed: Packed) {
  const [claimId, scheduledClaimId, freedClaimIds] = [packed[32], packed[33], packed[34]];
  return {
    claimId: claimId ?? '',
    scheduledClaimId: scheduledClaimId ?? '',
    freedClaimIds: freedClaimIds ?? [],
  };
}

/** The end of the period, the day of month that it stands for, and the payment of the period. */
function unpackPeriod(packed: Packed, base: number) {
  const currentPeriodEnd = unpackInstant(packed[12], base);
  const paidBy = packed[16] ?? null;
  return { paidBy, currentPeriodEnd, billingDay: packed[31] ?? dayOfMonth(currentPeriodEnd) };
}
