import { toMilliseconds } from '#domain/calendar';
import type { Instant, RecordedEvent } from '#domain/event';
import {
  awaitedCharge,
  evolveProgress,
  initialProgress,
  nextDueAt,
  type SubscriptionEvent,
} from '#domain/subscription';
import {
  eventTypesIn,
  type IndexEntry,
  type IndexName,
  type Projection,
  type TimeRange,
} from '#projection-engine/define';
import { type MaybeScheduled, scheduledCodec } from './due-dates.codec.js';

export interface DueDate {
  readonly appId: string;
  readonly subscriptionId: string;
  readonly dueAt: Instant;
}

/** A charge that a subscription has asked for, and of which it has not taken the outcome. */
export interface PendingRenewal {
  readonly paymentId: string;
  readonly subscriptionId: string;
}

interface DueDateQueries {
  /** What is due in any app by the wall clock, the longest overdue first. */
  all(range: TimeRange): Promise<DueDate[]>;
  /** What is due in a test app, whose clock may be ahead of the wall clock. */
  inTestApp(appId: string, range: TimeRange): Promise<DueDate[]>;
  /** Charges of a test app that have no outcome: what waits for one is not due, and will be. */
  pendingInTestApp(appId: string, partition: number): Promise<PendingRenewal[]>;
}

/** For which subscriptions will something have to happen by itself, and when? (rules/lifecycle 8) */
export const dueDates: Projection<MaybeScheduled, DueDateQueries> = {
  name: 'due-dates',
  version: 6,
  categories: ['subscription'],
  eventTypes: eventTypesIn('subscription'),
  documents: { of: 'stream' },
  codec: scheduledCodec,
  initialState: { status: 'none' },
  project: (before, event) => {
    // It is given only events of the types that it names.
    const change = event as RecordedEvent & SubscriptionEvent;
    if (before.status !== 'none') return evolveProgress(before, change);
    if (change.type !== 'subscription.created.v2') return before;
    const { appId, environment } = event.metadata;
    return { ...initialProgress(change), appId, environment };
  },
  indexes: (id, scheduled) => {
    if (scheduled.status === 'none') return [];
    const { appId, environment } = scheduled;
    const awaited = awaitedCharge(scheduled);
    const entries: IndexEntry[] = [];
    if (environment === 'test' && awaited !== null) {
      const { paymentId, requestedAt } = awaited;
      entries.push(entry(pendingList(appId), `${paymentId} ${id}`, requestedAt));
    }
    const dueAt = nextDueAt(scheduled);
    if (dueAt === null) return entries;
    const lists = environment === 'test' ? [ALL, testAppList(appId)] : [ALL];
    return [...entries, ...lists.map((index) => entry(index, `${appId} ${id}`, dueAt))];
  },
  queries: (read) => ({
    all: async (range) => (await read.range(ALL, range)).map(toDueDate),
    inTestApp: async (appId, range) => (await read.range(testAppList(appId), range)).map(toDueDate),
    pendingInTestApp: async (appId, partition) => {
      // All at once: a part of a list that shrinks would pass others over.
      const all = { partition, until: END_OF_TIME, limit: Number.MAX_SAFE_INTEGER };
      return (await read.range(pendingList(appId), all)).map(toPendingRenewal);
    },
  }),
};

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
  const [appId = '', subscriptionId = ''] = member.split(' ');
  return { appId, subscriptionId, dueAt: at };
}

function toPendingRenewal({ member }: { readonly member: string }): PendingRenewal {
  const [paymentId = '', subscriptionId = ''] = member.split(' ');
  return { paymentId, subscriptionId };
}
