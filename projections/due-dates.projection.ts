import { toMilliseconds } from '#domain/calendar';
import type { Instant, RecordedEvent } from '#domain/event';
import {
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

interface DueDateQueries {
  /** What is due in any app by the wall clock, the longest overdue first. */
  all(range: TimeRange): Promise<DueDate[]>;
  /** What is due in a test app, whose clock may be ahead of the wall clock. */
  inTestApp(appId: string, range: TimeRange): Promise<DueDate[]>;
}

/** For which subscriptions will something have to happen by itself, and when? (rules/lifecycle 8) */
export const dueDates: Projection<MaybeScheduled, DueDateQueries> = {
  name: 'due-dates',
  version: 3,
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
    const dueAt = nextDueAt(scheduled);
    if (scheduled.status === 'none' || dueAt === null) return [];
    const { appId, environment } = scheduled;
    const lists = environment === 'test' ? [ALL, testAppList(appId)] : [ALL];
    return lists.map((index) => entry(index, `${appId} ${id}`, dueAt));
  },
  queries: (read) => ({
    all: async (range) => (await read.range(ALL, range)).map(toDueDate),
    inTestApp: async (appId, range) => (await read.range(testAppList(appId), range)).map(toDueDate),
  }),
};

const ALL: IndexName = ['all'];

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
