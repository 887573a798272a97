import { appAggregate, type CreatedApp, evolveApp, noApp } from '#domain/app';
import { COMMAND_RECORDED, categoryOf, idOf, type Instant, type Position } from '#domain/event';
import type { RecordedEvent } from '#domain/event';
import {
  evolveTestClock,
  startedTestClock,
  type TestClock,
  testClockAggregate,
  testClockNow,
} from '#domain/test-clock';
import { evolveWebhookEndpoint, webhookEndpointAggregate } from '#domain/webhook-endpoint';
import {
  type CommandExecutor,
  createProgress,
  type EventStore,
  type FeedItem,
  findLastPosition,
  runCatchUp,
} from '#event-store';
import { type Clock, type Log, withTimeLimit } from '#platform';
import { BoundedLookups } from './bounded-lookups.js';
import { EndpointIndex, type RunningEndpoint } from './endpoint-index.js';

/**
 * All apps with their webhook endpoints and test clocks, held in memory and kept current by
 * following the store: every request and every delivery looks its tenant up here.
 */
export interface AppDirectory {
  /**
   * The app, from memory; one that is not known yet is looked for in the store, as often as that is
   * harmless (rules/http 9).
   */
  find(appId: string): Promise<CreatedApp | undefined>;
  /** The app, if memory knows it. */
  recall(appId: string): CreatedApp | undefined;
  /** The app as the store has it now, where memory may be behind (a rotated secret). */
  findFresh(appId: string): Promise<CreatedApp | undefined>;
  /** The endpoints of an app that are not deleted, in the order of their ids. */
  listEndpoints(appId: string): readonly RunningEndpoint[];
  endpoint(endpointId: string): RunningEndpoint | undefined;
  /** The endpoint, from memory; one that is not known there is looked for in the store. */
  findEndpoint(endpointId: string): Promise<RunningEndpoint | undefined>;
  /** What the app's own clock shows: the wall clock, but for a test clock that was advanced. */
  now(app: Pick<CreatedApp, 'appId' | 'environment'>): Instant;
  testClock(appId: string): TestClock;
  /** Calls a listener after each change of an app, an endpoint or a test clock. @returns what ends that. */
  onChange(listener: () => void): () => void;
  /** The test apps whose clock was ever advanced: few of all that there are. */
  withTestClock(): CreatedApp[];
  /** Resolves when memory holds everything up to this position. @throws Fault after the limit. */
  waitFor(position: Position, limitMs: number): Promise<void>;
  /**
   * As `waitFor`, for a position of any event: where memory does not follow the events of others,
   * the store is asked which events of apps there are before it. @throws Fault after the limit.
   */
  catchUpTo(position: Position, limitMs: number): Promise<void>;
}

interface DirectoryOptions {
  readonly store: EventStore;
  readonly commands: CommandExecutor;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** A process whose first reading takes longer than this gives up its start. */
const FIRST_READING_LIMIT_MS = 60_000;
/** The streams that a directory is made of. They lie in the buckets of their apps. */
export const APP_CATEGORIES = [appAggregate, webhookEndpointAggregate, testClockAggregate].map(
  ({ category }) => category,
);

/**
 * Reads every app once and then follows the store until the signal is aborted.
 *
 * @throws Fault `unavailable` when the store cannot be read through within a minute.
 */
export async function openAppDirectory(options: DirectoryOptions): Promise<AppDirectory> {
  const { store, commands, clock, signal } = options;
  const directory = new FollowingDirectory(store, commands, clock, signal);
  const caughtUp = new Promise<void>((resolve) => {
    void runCatchUp({
      store,
      categories: APP_CATEGORIES,
      loadCheckpoint: async () => directory.progress.position,
      handleBatch: async (items, upTo) => directory.apply(items, upTo),
      // Only positions of events of apps are waited for, and those events bring them.
      tellsEveryPosition: false,
      onCaughtUp: () => resolve(),
      signal,
      log: options.log,
    });
  });
  await withTimeLimit(caughtUp, FIRST_READING_LIMIT_MS, 'reading the apps from the event store');
  return directory;
}

class FollowingDirectory implements AppDirectory {
  readonly progress = createProgress('following the apps');
  private readonly apps = new Map<string, CreatedApp>();
  private readonly endpoints = new EndpointIndex();
  private readonly testClocks = new Map<string, TestClock>();
  private readonly listeners = new Set<() => void>();
  private readonly lookups = new BoundedLookups((appId) => this.findFresh(appId));

  constructor(
    private readonly store: EventStore,
    private readonly commands: CommandExecutor,
    private readonly clock: Clock,
    private readonly signal: AbortSignal,
  ) {}

  apply(items: readonly FeedItem[], upTo: Position): void {
    for (const item of items) {
      // An event that this release cannot read leaves the app as the events before it tell.
      if (!('undecodable' in item) && item.type !== COMMAND_RECORDED) this.fold(item);
    }
    this.progress.reach(upTo);
    if (items.length > 0) for (const listener of this.listeners) listener();
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  recall(appId: string): CreatedApp | undefined {
    return this.apps.get(appId);
  }

  async find(appId: string): Promise<CreatedApp | undefined> {
    const known = this.apps.get(appId);
    if (known !== undefined || !APP_ID.test(appId)) return known;
    const found = await this.lookups.find(appId);
    return this.apps.get(appId) ?? found;
  }

  async findFresh(appId: string): Promise<CreatedApp | undefined> {
    if (!APP_ID.test(appId)) return undefined;
    const { state } = await this.commands.load(appAggregate, appId);
    return state.status === 'none' ? undefined : state;
  }

  listEndpoints(appId: string): readonly RunningEndpoint[] {
    return this.endpoints.list(appId);
  }

  async findEndpoint(endpointId: string): Promise<RunningEndpoint | undefined> {
    const known = this.endpoints.get(endpointId);
    if (known !== undefined) return known;
    const { state } = await this.commands.load(webhookEndpointAggregate, endpointId);
    return state.status === 'enabled' ? state : undefined;
  }

  endpoint(endpointId: string): RunningEndpoint | undefined {
    return this.endpoints.get(endpointId);
  }

  now(app: Pick<CreatedApp, 'appId' | 'environment'>): Instant {
    const wallNow = this.clock.now();
    return app.environment === 'test' ? testClockNow(this.testClock(app.appId), wallNow) : wallNow;
  }

  testClock(appId: string): TestClock {
    return this.testClocks.get(appId) ?? startedTestClock;
  }

  withTestClock(): CreatedApp[] {
    return [...this.testClocks.keys()].flatMap((appId) => this.apps.get(appId) ?? []);
  }

  waitFor(position: Position, limitMs: number): Promise<void> {
    return this.progress.waitFor(position, limitMs);
  }

  async catchUpTo(position: Position, limitMs: number): Promise<void> {
    const { progress, signal } = this;
    if (progress.position >= position) return;
    const wanted = { categories: APP_CATEGORIES, after: progress.position, signal };
    const last = await findLastPosition(this.store, wanted, limitMs);
    if (last !== undefined) await progress.waitFor(last, limitMs);
  }

  /** The casts are safe: a stream of a category carries the events of that category only. */
  private fold(event: RecordedEvent): void {
    const id = idOf(event.streamName);
    switch (categoryOf(event.streamName)) {
      case appAggregate.category: {
        const app = evolveApp(this.apps.get(id) ?? noApp, event as Parameters<typeof evolveApp>[1]);
        if (app.status === 'created') this.apps.set(id, app);
        return;
      }
      case webhookEndpointAggregate.category: {
        const change = event as Parameters<typeof evolveWebhookEndpoint>[1];
        const before = this.endpoints.get(id) ?? { status: 'none' };
        const endpoint = evolveWebhookEndpoint(before, change);
        if (endpoint.status === 'enabled') this.endpoints.set(endpoint);
        else this.endpoints.delete(id);
        return;
      }
      case testClockAggregate.category: {
        const change = event as Parameters<typeof evolveTestClock>[1];
        this.testClocks.set(id, evolveTestClock(this.testClock(id), change));
      }
    }
  }
}

/** What an app's id can look like; anything else is not worth a question to the store. */
const APP_ID = /^app_[0-9a-z]{8,64}$/;
