import { type App, appAggregate, type CreatedApp } from '#domain/app';
import { endpointListAggregate } from '#domain/endpoint-list';
import type { Instant, Position } from '#domain/event';
import { type TestClock, testClockAggregate, testClockNow } from '#domain/test-clock';
import { webhookEndpointAggregate } from '#domain/webhook-endpoint';
import type { LiveAggregates } from '#event-store';
import { type Clock, Fault } from '#platform';
import { BoundedLookups } from './bounded-lookups.js';
import { EndpointLists } from './endpoint-lists.js';
import { type RunningEndpoint, toRunning } from './running-endpoint.js';

/** The streams that a directory is made of. They lie in the buckets of their apps. */
export const APP_AGGREGATES = [
  appAggregate,
  endpointListAggregate,
  webhookEndpointAggregate,
  testClockAggregate,
] as const;

export const APP_CATEGORIES: readonly string[] = APP_AGGREGATES.map(({ category }) => category);

interface AppDirectoryOptions {
  readonly live: LiveAggregates;
  readonly clock: Clock;
  /**
   * Whether a list of apps has this one, such as a read model: asked where more ids are made up than are
   * looked for. It may be behind, and fail (rules/http 9).
   */
  readonly isListed?: ((appId: string) => Promise<boolean>) | undefined;
}

/** The form of an app's id; anything else is not worth a question to the store. */
const APP_ID = /^app_[0-9a-z]{8,64}$/;
/** Look-ups of ids that are none are counted by the second. */
const RETRY_MS = 1000;

/**
 * The apps with their webhook endpoints and test clocks: every request and every delivery looks its tenant
 * up here. Each is read from its own streams when it is first asked for, and kept current (rules/events 11).
 */
export class AppDirectory {
  private readonly live: LiveAggregates;
  private readonly clock: Clock;
  private readonly lookups: BoundedLookups<App>;
  private readonly endpoints: EndpointLists;

  /** @param options the live aggregates are those of `APP_AGGREGATES`, at least. */
  constructor({ live, clock, isListed }: AppDirectoryOptions) {
    this.live = live;
    this.clock = clock;
    this.endpoints = new EndpointLists(live);
    this.lookups = new BoundedLookups(
      async (appId) => (await live.get(appAggregate, appId)).state,
      ({ status }) => status === 'created',
      isListed,
    );
  }

  /**
   * The app; one that memory does not know is looked for in the store, as often as that is harmless
   * (rules/http 9).
   *
   * @throws Fault `unavailable` (retryable) where the store is out of reach, or too many ids that are
   *   none are asked for.
   */
  async find(appId: string): Promise<CreatedApp | undefined> {
    const known = this.live.recall(appAggregate, appId);
    if (known !== undefined) return toCreated(known.state);
    if (!APP_ID.test(appId)) return undefined;
    const found = await this.lookups.find(appId);
    if (found !== undefined) return toCreated(found);
    // Beyond the bound, the look-up has waited: meanwhile the app's own event may have come.
    const learnt = this.live.recall(appAggregate, appId);
    if (learnt !== undefined) return toCreated(learnt.state);
    const message = 'too many apps that are not known are asked for';
    throw new Fault('unavailable', message, { retryable: true, retryAfterMs: RETRY_MS });
  }

  /** The app, if memory knows it. */
  recall(appId: string): CreatedApp | undefined {
    const known = this.live.recall(appAggregate, appId);
    return known && toCreated(known.state);
  }

  /** The app as the store has it now, where memory may be behind (a rotated secret). @throws Fault. */
  async findFresh(appId: string): Promise<CreatedApp | undefined> {
    if (!APP_ID.test(appId)) return undefined;
    return toCreated((await this.live.refresh(appAggregate, appId)).state);
  }

  /**
   * The endpoints of an app that are not deleted, disabled ones among them, in the order of their ids; at once where
   * memory has them.
   *
   * @throws Fault `unavailable`.
   */
  listEndpoints(appId: string): readonly RunningEndpoint[] | Promise<readonly RunningEndpoint[]> {
    return this.endpoints.list(appId);
  }

  /** The endpoints that the app's list need not name any longer. @throws Fault `unavailable`. */
  async findGoneEndpoints(appId: string): Promise<readonly string[]> {
    return this.endpoints.findGone(appId);
  }

  /**
   * The endpoint, disabled or not, where it is not deleted: at once where memory has it, and else it is looked for in
   * the store.
   *
   * @throws Fault `unavailable`.
   */
  findEndpoint(
    endpointId: string,
  ): RunningEndpoint | undefined | Promise<RunningEndpoint | undefined> {
    const known = this.live.recall(webhookEndpointAggregate, endpointId)?.state;
    return known && known.status !== 'none' ? toRunning(known) : this.lookForEndpoint(endpointId);
  }

  private async lookForEndpoint(endpointId: string): Promise<RunningEndpoint | undefined> {
    const known = await this.live.get(webhookEndpointAggregate, endpointId);
    // Another process may have learnt of it first: only the store knows that there is none.
    const { state } =
      known.state.status === 'none'
        ? await this.live.refresh(webhookEndpointAggregate, endpointId)
        : known;
    return toRunning(state);
  }

  /**
   * The time on the app's own clock: the wall clock, but for a test clock that was advanced.
   *
   * @throws Fault `unavailable`.
   */
  async now(app: Pick<CreatedApp, 'appId' | 'environment'>): Promise<Instant> {
    if (app.environment !== 'test') return this.clock.now();
    const testClock = await this.testClock(app.appId);
    return testClockNow(testClock, this.clock.now());
  }

  /** @throws Fault `unavailable`. */
  async testClock(appId: string): Promise<TestClock> {
    return (await this.live.get(testClockAggregate, appId)).state;
  }

  /**
   * Calls a listener after changes of apps, endpoints or test clocks, with the streams that changed.
   *
   * @returns the function that ends that.
   */
  onChange(listener: (streamNames: ReadonlySet<string>) => void): () => void {
    return this.live.onChange(listener);
  }

  /** Resolves when memory shows everything up to this position. @throws Fault after the limit. */
  async waitFor(position: Position, limitMs: number): Promise<void> {
    await this.live.waitFor(position, limitMs);
  }

  /**
   * As `waitFor`, for a position of any event: where memory does not follow the events of others,
   * the store is asked which events of apps there are before it. @throws Fault after the limit.
   */
  async catchUpTo(position: Position, limitMs: number): Promise<void> {
    await this.live.catchUpTo(position, limitMs);
  }
}

export function createAppDirectory(options: AppDirectoryOptions): AppDirectory {
  return new AppDirectory(options);
}

function toCreated(app: App): CreatedApp | undefined {
  return app.status === 'created' ? app : undefined;
}
