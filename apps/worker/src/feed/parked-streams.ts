import type { Redis } from 'ioredis';
import type { Position } from '#domain/event';
import type { FeedItem } from '#event-store';
import type { Log } from '#platform';
import { parkedStreams } from '../metrics.js';
import { ofRedis } from '../redis/connect.js';

/** Where a stream stopped being worked on, and why. */
export interface Parked {
  readonly revision: number;
  readonly position: Position;
  readonly reason: string;
}

/**
 * Streams that hold something which cannot be worked on: an event of a newer release, or one that our
 * own code fails on. The stream waits, loudly, with all that comes after; the others go on
 * (architecture, "Life of an event"). They are tried again at the next start.
 */
export class ParkedStreams {
  readonly #redis: Redis;
  readonly #key: string;
  readonly #log: Log;
  #parked = new Map<string, Parked>();
  /** Being tried again: parked in Redis until that has succeeded, and not held back here. */
  #reopened = new Set<string>();

  constructor(redis: Redis, key: string, log: Log) {
    this.#redis = redis;
    this.#key = key;
    this.#log = log;
  }

  /** Reads what is parked, as Redis has it now. @throws Fault of Redis. */
  async load(): Promise<ReadonlyMap<string, Parked>> {
    const stored = await ofRedis(this.#redis.hgetall(this.#key));
    // Only `park` writes there.
    const entries = Object.entries(stored).map(
      ([name, text]) => [name, JSON.parse(text) as Parked] as const,
    );
    this.#parked = new Map(entries.filter(([name]) => !this.#reopened.has(name)));
    parkedStreams.set(this.#parked.size);
    return this.#parked;
  }

  has(streamName: string): boolean {
    return this.#parked.has(streamName);
  }

  /** @throws Fault of Redis: the batch is then given again. */
  async park(item: FeedItem, error: unknown): Promise<void> {
    const { streamName, revision, position } = item;
    if (this.#parked.has(streamName)) return;
    const reason = error instanceof Error ? error.message : String(error);
    const parked: Parked = { revision, position, reason };
    await ofRedis(this.#redis.hsetnx(this.#key, streamName, JSON.stringify(parked)));
    this.#parked.set(streamName, parked);
    parkedStreams.set(this.#parked.size);
    this.#log.error({ err: error, streamName, revision }, 'a stream is parked; the others go on');
  }

  /**
   * Works off what a stream held back.
   *
   * @throws Fault of Redis or whatever `work` throws: the stream then stays parked.
   */
  async retry(streamName: string, work: () => Promise<void>): Promise<void> {
    this.#reopened.add(streamName);
    this.#parked.delete(streamName);
    try {
      await work();
      if (this.#parked.has(streamName)) return;
      await ofRedis(this.#redis.hdel(this.#key, streamName));
      this.#log.info({ streamName }, 'a parked stream goes on');
    } finally {
      this.#reopened.delete(streamName);
      await this.load();
    }
  }
}
