import type { Redis } from 'ioredis';
import pLimit from 'p-limit';
import { type LedgerStore, runCatchUp } from '#event-store';
import { type Log, sleepUnlessAborted, warnSeldom } from '#platform';
import { type Projection, projections as allProjections } from '#projections';
import { type Namespace, createNamespace } from './keys.js';
import { createLagMeter } from './lag.js';
import { LAG_SAMPLE_MS, NAMESPACE_TOUCH_MS, WATCH_MS } from './limits.js';
import { retireNamespaces, touchNamespace } from './namespaces.js';
import { RebuildStopped } from './parked-streams.js';
import { Projector } from './projector.js';
import { projectorMetrics } from './projector-metrics.js';
import { connectForWriting } from './redis.js';

interface ProjectorOptions {
  readonly store: LedgerStore;
  /** The address of Redis. */
  readonly redis: string;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** Called once: all of history is in, and the read models answer. */
  readonly onReady?: () => void;
  readonly partitionCount?: number;
  readonly projections?: readonly Projection<unknown>[];
  /** How long the read models of a release that is gone are kept, in milliseconds. */
  readonly namespaceKeptMs?: number;
}

/**
 * Feeds the read models from the event store until it is stopped (rules/events 6). Several may run at
 * once: each batch is applied by one of them. What is lost or foreign in Redis is rebuilt, and the log
 * says so.
 *
 * @returns when `signal` is aborted.
 * @throws RebuildStopped when a rebuild meets an event that this release cannot apply.
 */
export async function runProjector(options: ProjectorOptions): Promise<void> {
  const redis = connectForWriting(options.redis);
  try {
    const run = new ProjectorRun(redis, options);
    while (!options.signal.aborted) await run.round();
  } finally {
    redis.disconnect();
  }
}

/** A projector at work: the feed, and a watch beside it that sees what the feed cannot. */
class ProjectorRun {
  readonly #redis: Redis;
  readonly #options: ProjectorOptions;
  readonly #projections: readonly Projection<unknown>[];
  readonly #namespace: Namespace;
  readonly #projector: Projector;
  readonly #measureLag = createLagMeter();
  /** One act at a time: the feed's batches and the looks of the watch. */
  readonly #oneAtATime = pLimit(1);
  #isCaughtUp = false;
  #isReady = false;
  #stopped: RebuildStopped | undefined;

  constructor(redis: Redis, options: ProjectorOptions) {
    this.#redis = redis;
    this.#options = options;
    this.#projections = options.projections ?? allProjections;
    this.#namespace = createNamespace(this.#projections, options.partitionCount);
    const { store, log } = options;
    const [namespace, projections] = [this.#namespace, this.#projections];
    this.#projector = new Projector({ store, redis, namespace, projections, log });
  }

  /** Follows the store until the signal is aborted, or until a partition is found elsewhere than it was left. */
  async round(): Promise<void> {
    const { store, log } = this.#options;
    const over = new AbortController();
    const signal = AbortSignal.any([this.#options.signal, over.signal]);
    const watching = this.#watch(signal, over);
    await runCatchUp({
      store,
      categories: this.#projections.map(({ category }) => category),
      loadCheckpoint: () => this.#oneAtATime(() => this.#open()),
      handleBatch: (events, upTo) =>
        this.#oneAtATime(async () => {
          try {
            await this.#projector.apply(events, upTo);
          } catch (error) {
            if (error instanceof RebuildStopped) over.abort((this.#stopped = error));
            throw error;
          }
        }),
      signal,
      log,
      onCaughtUp: () => {
        this.#isCaughtUp = true;
        void this.#settle(over);
      },
    });
    over.abort();
    await watching;
    if (this.#stopped !== undefined) throw this.#stopped;
  }

  async #open(): Promise<string> {
    this.#isCaughtUp = false;
    await touchNamespace(this.#redis, this.#namespace);
    return this.#projector.open();
  }

  /** Once a second: do the partitions stand where they were left? Seldom: lag, namespaces. */
  async #watch(signal: AbortSignal, over: AbortController): Promise<void> {
    let lagDueAt = 0;
    let touchDueAt = 0;
    while (await sleepUnlessAborted(WATCH_MS, signal)) {
      if (this.#isCaughtUp) await this.#settle(over);
      const now = performance.now();
      if (now >= lagDueAt) {
        lagDueAt = now + LAG_SAMPLE_MS;
        await this.#quietly('measuring the lag', () => this.#reportLag());
      }
      if (now >= touchDueAt) {
        touchDueAt = now + NAMESPACE_TOUCH_MS;
        await this.#quietly('retiring old read models', () => this.#touch());
      }
    }
  }

  /** Goes live, if it has not, and sees that nothing was lost; otherwise the round is over. */
  async #settle(over: AbortController): Promise<void> {
    try {
      await this.#oneAtATime(async () => {
        await this.#projector.check();
        await this.#projector.goLive();
      });
    } catch (error) {
      if (over.signal.aborted || this.#options.signal.aborted) return;
      warnSeldom(this.#options.log, error, 'the read models are not where they were left');
      over.abort(error);
      return;
    }
    if (this.#isReady || !this.#projector.isLive) return;
    this.#isReady = true;
    this.#options.onReady?.();
  }

  async #reportLag(): Promise<void> {
    const head = await this.#options.store.headPosition();
    const lag = this.#measureLag(this.#projector.watermark, head, Date.now());
    projectorMetrics.lagPositions.set(lag.positions);
    projectorMetrics.lagSeconds.set(lag.seconds);
    if (lag.seconds > 0) this.#options.log.warn({ ...lag, head }, 'the read models are behind');
  }

  async #touch(): Promise<void> {
    const { log, namespaceKeptMs } = this.#options;
    await touchNamespace(this.#redis, this.#namespace);
    await retireNamespaces(this.#redis, this.#namespace, log, namespaceKeptMs);
  }

  async #quietly(doing: string, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      warnSeldom(this.#options.log, error, `${doing} did not succeed`);
    }
  }
}
