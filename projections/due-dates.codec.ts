import type { Environment } from '#domain/event';
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

/** What decides when something is due, and nothing else: it is kept for every subscription there is. */
export interface Scheduled extends SubscriptionProgress {
  readonly appId: string;
  readonly environment: Environment;
}

export type MaybeScheduled = Scheduled | { readonly status: 'none' };

type Packed = readonly [
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
  packScheduled,
  unpackScheduled,
);

function packScheduled(scheduled: Scheduled): Packed {
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

function unpackScheduled(packed: Packed): Scheduled {
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
