import { Inject, Injectable } from '@nestjs/common';
import { categoryOf, idOf, type Position } from '#domain/event';
import { taxRatesAggregate } from '#domain/pricing';
import { type FeedItem, PARKED_RETRY_CATEGORY, runCatchUp } from '#event-store';
import { settleAll, sleepUnlessAborted, warnSeldom } from '#platform';
import { findLowest } from '#projection-engine';
import { APP_CATEGORIES } from '#tenancy';
import type { WorkerConnections } from '../connections.js';
import type { PartitionFeed } from '../feed/partition-feed.js';
import { FOLLOW_LIMIT_MS, TICK_MS } from '../limits.js';
import { CONNECTIONS } from '../tokens.js';

/** Of these, memory has to have come as far as the events that are worked on. */
const AWAITED_CATEGORIES = [...APP_CATEGORIES, taxRatesAggregate.category];

/**
 * The one road out for side effects (rules/events 3 and 4): one subscription for all partitions that this
 * process holds. Every event is given to its partition, at least once and in order.
 */
@Injectable()
export class Reactor {
  constructor(@Inject(CONNECTIONS) private readonly connections: WorkerConnections) {}

  /**
   * Follows the store for these partitions until the signal is aborted; never throws.
   *
   * @param onResumed is called when all have found where to go on; maybe more than once.
   */
  async run(
    feeds: readonly PartitionFeed[],
    signal: AbortSignal,
    onResumed: () => void,
  ): Promise<void> {
    while (!signal.aborted && feeds.length > 0) {
      const round = new AbortController();
      const roundSignal = AbortSignal.any([signal, round.signal]);
      const watching = this.#untilLost(feeds, roundSignal).then(() => round.abort());
      await this.#follow(feeds, roundSignal, onResumed);
      round.abort();
      await watching;
    }
  }

  async #follow(
    feeds: readonly PartitionFeed[],
    signal: AbortSignal,
    onResumed: () => void,
  ): Promise<void> {
    const { store, partitions, apps, log } = this.connections;
    const buckets = partitions.rangesFor(feeds.map(({ partition }) => partition));
    const categories = new Set(feeds.flatMap((feed) => feed.categories));
    await runCatchUp({
      store,
      categories: [...categories],
      ...(buckets && { buckets }),
      everywhere: [...AWAITED_CATEGORIES, PARKED_RETRY_CATEGORY],
      loadCheckpoint: async () => {
        // An endpoint that is older than a partition's checkpoint does not go by again.
        await apps.catchUpTo(await store.headPosition(), FOLLOW_LIMIT_MS);
        const positions = await Promise.all(feeds.map((feed) => feed.resume()));
        onResumed();
        return findLowest(positions);
      },
      handleBatch: (items, upTo) => this.#handle(feeds, items, upTo),
      signal,
      log,
    });
  }

  /** All are waited for, also when one fails: a repeated batch never meets half of its first attempt. */
  async #handle(
    feeds: readonly PartitionFeed[],
    items: readonly FeedItem[],
    upTo: Position,
  ): Promise<void> {
    const { partitions } = this.connections;
    await this.#waitForMemory(items);
    const isRequest = ({ streamName }: FeedItem) =>
      categoryOf(streamName) === PARKED_RETRY_CATEGORY;
    if (items.some(isRequest)) for (const feed of feeds) feed.requestRetry();
    const byPartition = new Map<number, FeedItem[]>();
    for (const item of items) {
      const partition = partitions.find(idOf(item.streamName));
      const own = byPartition.get(partition);
      if (own === undefined) byPartition.set(partition, [item]);
      else own.push(item);
    }
    await settleAll(feeds.map((feed) => feed.handle(byPartition.get(feed.partition) ?? [], upTo)));
  }

  /**
   * Apps, endpoints and tax rates that are older than an event must be known when the event is worked on. Their
   * streams are in the subscription for this alone: whatever else goes by, nothing has to be waited for.
   */
  async #waitForMemory(items: readonly FeedItem[]): Promise<void> {
    const last = items.findLast(({ streamName }) => isAwaited(streamName));
    if (last === undefined) return;
    await this.connections.apps.waitFor(last.position, FOLLOW_LIMIT_MS);
  }

  /**
   * Redis may lose its memory while no event goes by, so that no batch would notice. Resolves when the checkpoint of a
   * partition is lost, or thrown back, or when the signal is aborted; never throws.
   */
  async #untilLost(feeds: readonly PartitionFeed[], signal: AbortSignal): Promise<void> {
    const { log } = this.connections;
    while (await sleepUnlessAborted(TICK_MS, signal)) {
      try {
        const lost = await Promise.all(feeds.map((feed) => feed.isLost()));
        if (!lost.includes(true)) continue;
        log.warn('Redis has lost the checkpoint of the feed');
        return;
      } catch (error) {
        warnSeldom(log, error, 'Redis could not be asked for the checkpoint; it is tried again');
      }
    }
  }
}

function isAwaited(streamName: string): boolean {
  return AWAITED_CATEGORIES.includes(categoryOf(streamName));
}
