import type { Position } from '#domain/event';
import type { FeedItem } from '#event-store';
import { loadScript, type Redis, redisReply } from '#redis';
import { type Fence, runFenced } from './leases/leases.js';

const parkStream = loadScript(new URL('./lua/park-stream-2.lua', import.meta.url));

/**
 * A stream with an event that cannot be applied: one of a newer release, or one that our own code fails
 * on. The stream waits with all that comes after, and the others go on (rules/events 5).
 */
export interface ParkedStream {
  readonly streamName: string;
  /** The event that could not be applied. */
  readonly revision: number;
  readonly position: Position;
  readonly type: string;
  readonly reason: string;
}

/** The parked streams beside a checkpoint, as this process knows them: a hash by stream name. */
export class ParkedStreams {
  readonly #redis: Redis;
  readonly #key: string;
  readonly #fence: Fence;
  #parked = new Map<string, ParkedStream>();
  /** Streams that are tried again: parked in Redis until that has succeeded, and not held back here. */
  readonly #reopened = new Set<string>();

  /** @param fence of the lease under which streams are parked; it lies on the same slot as the key. */
  constructor(redis: Redis, key: string, fence: Fence) {
    this.#redis = redis;
    this.#key = key;
    this.#fence = fence;
  }

  get count(): number {
    return this.#parked.size;
  }

  /** Reads what is parked, as Redis has it now. @throws Fault of Redis. */
  async load(): Promise<ReadonlyMap<string, ParkedStream>> {
    const stored = await redisReply(this.#redis.hvals(this.#key));
    // Only `park` and a batch write there, both this form.
    const parked = stored.map((text) => JSON.parse(text) as ParkedStream);
    const held = parked.filter(({ streamName }) => !this.#reopened.has(streamName));
    this.#parked = new Map(held.map((stream) => [stream.streamName, stream]));
    return this.#parked;
  }

  get list(): readonly ParkedStream[] {
    return [...this.#parked.values()];
  }

  has(streamName: string): boolean {
    return this.#parked.has(streamName);
  }

  /** Keeps in mind what a batch has parked in Redis. */
  note(stream: ParkedStream): void {
    this.#parked.set(stream.streamName, stream);
  }

  /** Leaves out of mind what a batch has taken off the list in Redis. */
  forget(streamName: string): void {
    this.#parked.delete(streamName);
  }

  /** Parks a stream, unless it is. @returns whether it was not. @throws Fault of Redis. */
  async park(stream: ParkedStream): Promise<boolean> {
    if (this.#parked.has(stream.streamName)) return false;
    await this.#change(stream.streamName, JSON.stringify(stream));
    this.note(stream);
    return true;
  }

  /**
   * Works on what a stream held back.
   *
   * @returns whether it goes on; false when `work` parked it again.
   * @throws Fault of Redis or what `work` throws: the stream then stays parked.
   */
  async retry(streamName: string, work: () => Promise<void>): Promise<boolean> {
    this.#reopened.add(streamName);
    this.#parked.delete(streamName);
    try {
      await work();
      if (this.#parked.has(streamName)) return false;
      await this.#change(streamName, '');
      return true;
    } finally {
      this.#reopened.delete(streamName);
      await this.load();
    }
  }

  async #change(streamName: string, stored: string): Promise<void> {
    const [keys, args] = [[this.#key], [streamName, stored]];
    await runFenced(this.#redis, this.#fence, parkStream, { keys, args });
  }
}

/** What is kept of an event that cannot be applied. */
export function parkedAt(item: FeedItem, reason: string): ParkedStream {
  const { streamName, revision, position, type } = item;
  return { streamName, revision, position, type, reason };
}
