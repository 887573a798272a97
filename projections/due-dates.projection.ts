import { toMilliseconds } from '#domain/calendar';
import type { Environment, Instant, RecordedEvent } from '#domain/event';
import {
  beginSchedule,
  evolveSchedule,
  isScheduleOver,
  type OrderEvent,
  type OrderSchedule,
  scheduleDueAt,
} from '#domain/order';
import {
  awaitedCharge,
  evolveProgress,
  initialProgress,
  nextDueAt,
  type SubscriptionEvent,
  type SubscriptionProgress,
} from '#domain/subscription';
import {
  codecByFields,
  eventTypesIn,
  type IndexEntry,
  type IndexName,
  INSTANT,
  type Projection,
  type StateCodec,
  type TimeRange,
} from '#projection-engine/define';
import { dueDateRecipe } from './recipes/due-dates.js';

interface OfApp {
  readonly appId: string;
  readonly environment: Environment;
}

/** The fields that decide due dates, and nothing else: they are kept for every subscription there is. */
interface Scheduled extends SubscriptionProgress, OfApp {}

/** The same of an order, until nothing can be due in it any more. */
interface ScheduledOrder extends OrderSchedule, OfApp {
  readonly status: 'ordered';
}

type ScheduledSubscription = Scheduled | { readonly status: 'none' };
export type MaybeScheduled = ScheduledSubscription | ScheduledOrder;

/** Fields of a subscription in the order in which they are stored, with their usual values. */
const subscriptionCodec = codecByFields<ScheduledSubscription>({
  ...{ status: 'active', appId: '', currentPeriodEnd: INSTANT, periodsPaid: 0, messageCount: 0 },
  ...{ environment: 'production', canceledAt: INSTANT, cancelAtPeriodEnd: false },
  ...{ expiredAt: INSTANT, dunning: null, pendingCharge: null, pendingChange: null },
  scheduledChange: null,
});

/** Orders in which something is due are few: they are stored as they are, as the only value. */
const scheduledCodec: StateCodec<MaybeScheduled> = {
  pack: (state, id) => (state.status === 'ordered' ? [state] : subscriptionCodec.pack(state, id)),
  unpack: (packed, id) => {
    const [first] = packed;
    const isOrder = typeof first === 'object' && first !== null;
    return isOrder ? (first as ScheduledOrder) : subscriptionCodec.unpack(packed, id);
  },
};

export interface DueDate {
  readonly appId: string;
  /** The subscription or order in which something is due. */
  readonly subjectId: string;
  readonly dueAt: Instant;
  /** Of the event behind which it is due: after a later one something may be due at the same instant again. */
  readonly revision: number;
}

/** A charge that a subscription or order has asked for, and of which it has not taken the outcome. */
export interface PendingCharge {
  readonly paymentId: string;
  readonly subjectId: string;
}

interface DueDateQueries {
  /** The due dates in any app by the wall clock, the longest overdue first. */
  all(range: TimeRange): Promise<DueDate[]>;
  /** The due dates in a test app, whose clock may be ahead of the wall clock. */
  inTestApp(appId: string, range: TimeRange): Promise<DueDate[]>;
  /** Charges of a test app that have no outcome: a subscription that waits for one is not due, and will be. */
  pendingInTestApp(appId: string, partition: number): Promise<PendingCharge[]>;
}

/** In which subscriptions and orders will something have to happen by itself, and when? (rules/lifecycle 8, rules/orders 5) */
export const dueDates: Projection<MaybeScheduled, DueDateQueries> = {
  name: 'due-dates',
  version: 9,
  categories: ['subscription', 'order'],
  eventTypes: [...eventTypesIn('subscription'), ...eventTypesIn('order')],
  documents: { of: 'stream', idsDiffer: true },
  codec: scheduledCodec,
  initialState: { status: 'none' },
  project: (before, event) => {
    // It is given only events of the types that it names, and a stream is of one kind.
    const change = event as RecordedEvent & (SubscriptionEvent | OrderEvent);
    if (change.type === 'order.created.v1' || before.status === 'ordered') {
      return projectOrder(before, change as RecordedEvent & OrderEvent);
    }
    return projectSubscription(before, change as RecordedEvent & SubscriptionEvent);
  },
  indexes: (id, scheduled, revision) => {
    if (scheduled.status === 'none') return [];
    const { appId, environment } = scheduled;
    const entries: IndexEntry[] = [];
    for (const { paymentId, askedAt } of environment === 'test' ? listAwaited(scheduled) : []) {
      entries.push(entry(pendingList(appId), `${paymentId} ${id}`, askedAt));
    }
    const dueAt = scheduled.status === 'ordered' ? scheduleDueAt(scheduled) : nextDueAt(scheduled);
    if (dueAt === null) return entries;
    const lists = environment === 'test' ? [ALL, testAppList(appId)] : [ALL];
    return [...entries, ...lists.map((index) => entry(index, `${appId} ${id} ${revision}`, dueAt))];
  },
  recipe: dueDateRecipe,
  queries: (read) => ({
    all: async (range) => (await read.range(ALL, range)).map(toDueDate),
    inTestApp: async (appId, range) => (await read.range(testAppList(appId), range)).map(toDueDate),
    pendingInTestApp: async (appId, partition) => {
      // All at once: a part of a list that shrinks would pass others over.
      const all = { partition, until: END_OF_TIME, limit: Number.MAX_SAFE_INTEGER };
      return (await read.range(pendingList(appId), all)).map(toPendingCharge);
    },
  }),
};

function projectSubscription(
  before: ScheduledSubscription,
  change: RecordedEvent & SubscriptionEvent,
): MaybeScheduled {
  if (before.status !== 'none') return evolveProgress(before, change);
  if (change.type !== 'subscription.created.v2') return before;
  const { appId, environment } = change.metadata;
  return { ...initialProgress(change), appId, environment };
}

/** Nothing is kept of an order in which nothing can be due any more: there are more of them with every day. */
function projectOrder(
  before: MaybeScheduled,
  change: RecordedEvent & OrderEvent,
): ScheduledOrder | { readonly status: 'none' } {
  if (before.status === 'ordered') {
    const after = evolveSchedule(before, change);
    return isScheduleOver(after) ? { status: 'none' } : after;
  }
  if (change.type !== 'order.created.v1') return { status: 'none' };
  const { appId, environment } = change.metadata;
  return { status: 'ordered', ...beginSchedule(change.data), appId, environment };
}

/** Charges without an outcome, with when they were asked for. */
function listAwaited(scheduled: Scheduled | ScheduledOrder) {
  if (scheduled.status === 'ordered') {
    return scheduled.openAttempts.map(({ paymentId, attemptedAt: askedAt }) => ({
      ...{ paymentId, askedAt },
    }));
  }
  const awaited = awaitedCharge(scheduled);
  return awaited === null ? [] : [{ paymentId: awaited.paymentId, askedAt: awaited.requestedAt }];
}

const ALL: IndexName = ['all'];

/** Later than any charge is asked for. */
const END_OF_TIME: Instant = '9999-12-31T23:59:59.999Z';

function pendingList(appId: string): IndexName {
  return ['pending-in-test-app', appId];
}

function testAppList(appId: string): IndexName {
  return ['test-app', appId];
}

function entry(index: IndexName, member: string, dueAt: Instant): IndexEntry {
  return { index, member, score: toMilliseconds(dueAt) };
}

function toDueDate({ member, at }: { readonly member: string; readonly at: Instant }): DueDate {
  const [appId = '', subjectId = '', revision] = member.split(' ');
  return { appId, subjectId, dueAt: at, revision: Number(revision) };
}

function toPendingCharge({ member }: { readonly member: string }): PendingCharge {
  const [paymentId = '', subjectId = ''] = member.split(' ');
  return { paymentId, subjectId };
}
