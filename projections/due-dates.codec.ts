import type { Environment } from '#domain/event';
import type { OrderSchedule } from '#domain/order';
import type { SubscriptionProgress } from '#domain/subscription';
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

interface OfApp {
  readonly appId: string;
  readonly environment: Environment;
}

/** What decides when something is due, and nothing else: it is kept for every subscription there is. */
export interface Scheduled extends SubscriptionProgress, OfApp {}

/** The same of an order, until nothing can be due in it any more. */
export interface ScheduledOrder extends OrderSchedule, OfApp {
  readonly status: 'ordered';
}

export type MaybeScheduled = Scheduled | ScheduledOrder | { readonly status: 'none' };

/** In the place of a subscription's status. */
const ORDERED = -1;

type PackedOrder = readonly [
  ordered: typeof ORDERED,
  appId: string,
  expiresAt: PackedInstant,
  isOpen: 0 | 1,
  lastAttempt: number,
  environment: Environment | null,
  openAttempts: readonly (readonly [attempt: number, paymentId: string, at: PackedInstant])[],
];

type PackedSubscription = readonly [
  status: number,
  appId: string,
  currentPeriodEnd: PackedInstant,
  periodsPaid: number,
  messageCount: number,
  environment?: Environment | null,
  canceledAt?: PackedInstant | null,
  cancelAtPeriodEnd?: true | null,
  expiredAt?: PackedInstant | null,
  dunning?: Scheduled['dunning'],
  pendingCharge?: Scheduled['pendingCharge'],
  pendingChange?: Scheduled['pendingChange'],
  scheduledChange?: Scheduled['scheduledChange'],
];

/** How due dates are stored; nothing is kept of a subscription that is not there. */
export const scheduledCodec: StateCodec<MaybeScheduled> = codecForExisting(
  (scheduled: Scheduled | ScheduledOrder) =>
    scheduled.status === 'ordered' ? packOrder(scheduled) : packSubscription(scheduled),
  (packed: PackedOrder | PackedSubscription) =>
    isOrder(packed) ? unpackOrder(packed) : unpackSubscription(packed),
);

function isOrder(packed: PackedOrder | PackedSubscription): packed is PackedOrder {
  return packed[0] === ORDERED;
}

function packOrder(scheduled: ScheduledOrder): PackedOrder {
  const { appId, isOpen, lastAttempt, openAttempts, environment } = scheduled;
  const expiresAt = packInstant(scheduled.expiresAt, 0);
  const base = readBase(expiresAt);
  return [
    ORDERED,
    appId,
    expiresAt,
    isOpen ? 1 : 0,
    lastAttempt,
    environment === 'production' ? null : environment,
    openAttempts.map((open) => packAttempt(open, base)),
  ];
}

function packAttempt(
  { attempt, paymentId, attemptedAt }: OrderSchedule['openAttempts'][number],
  base: number,
): PackedOrder[6][number] {
  return [attempt, paymentId, packInstant(attemptedAt, base)];
}

function unpackOrder(packed: PackedOrder): ScheduledOrder {
  const [_, appId, expiresAt, isOpen, lastAttempt, environment, openAttempts] = packed;
  const base = readBase(expiresAt);
  return {
    status: 'ordered',
    ...{ appId, isOpen: isOpen === 1, lastAttempt },
    expiresAt: unpackInstant(expiresAt, 0),
    environment: environment ?? 'production',
    openAttempts: openAttempts.map(([attempt, paymentId, at]) => ({
      ...{ attempt, paymentId, attemptedAt: unpackInstant(at, base) },
    })),
  };
}

function packSubscription(scheduled: Scheduled): PackedSubscription {
  const { environment } = scheduled;
  const currentPeriodEnd = packInstant(scheduled.currentPeriodEnd, 0);
  const base = readBase(currentPeriodEnd);
  return [
    packChoice(STORED_SUBSCRIPTION_STATUSES, scheduled.status),
    scheduled.appId,
    currentPeriodEnd,
    scheduled.periodsPaid,
    scheduled.messageCount,
    environment === 'production' ? null : environment,
    packInstant(scheduled.canceledAt, base),
    scheduled.cancelAtPeriodEnd || null,
    packInstant(scheduled.expiredAt, base),
    scheduled.dunning,
    scheduled.pendingCharge,
    scheduled.pendingChange,
    scheduled.scheduledChange,
  ];
}

function unpackSubscription(packed: PackedSubscription): Scheduled {
  const [status, appId, currentPeriodEnd, periodsPaid, messageCount, environment] = packed;
  const base = readBase(currentPeriodEnd);
  return {
    status: unpackChoice(STORED_SUBSCRIPTION_STATUSES, status),
    currentPeriodEnd: unpackInstant(currentPeriodEnd, 0),
    periodsPaid,
    canceledAt: unpackInstant(packed[6] ?? null, base),
    cancelAtPeriodEnd: packed[7] === true,
    expiredAt: unpackInstant(packed[8] ?? null, base),
    dunning: packed[9] ?? null,
    pendingCharge: packed[10] ?? null,
    pendingChange: packed[11] ?? null,
    scheduledChange: packed[12] ?? null,
    messageCount,
    appId,
    environment: environment ?? 'production',
  };
}
