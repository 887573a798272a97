import type { Position } from '#domain/event';
import type { FeedItem } from '#event-store';
import { type Redis, redisReply } from '#redis';

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

/** The parked streams of a read model's partition, as this process knows them: a hash by stream name. */
export class ParkedStreams {
  readonly #redis: Redis;
  readonly #key: string;
  #parked = new Map<string, ParkedStream>();

  constructor(redis: Redis, key: string) {
    this.#redis = redis;
    this.#key = key;
  }

  get count(): number {
    return this.#parked.size;
  }

  get list(): readonly ParkedStream[] {
    return [...this.#parked.values()];
  }

  has(streamName: string): boolean {
    return this.#parked.has(streamName);
  }

  /** Reads what is parked, as Redis has it now. @throws Fault of Redis. */
  async load(): Promise<void> {
    const stored = await redisReply(this.#redis.hvals(this.#key));
    // Only a batch writes there, in this form.
    const parked = stored.map((text) => JSON.parse(text) as ParkedStream);
    this.#parked = new Map(parked.map((stream) => [stream.streamName, stream]));
  }

  /** Keeps in mind what a batch has parked in Redis. */
  note(stream: ParkedStream): void {
    this.#parked.set(stream.streamName, stream);
  }

  /** Leaves out of mind what a batch has taken off the list in Redis. */
  forget(streamName: string): void {
    this.#parked.delete(streamName);
  }
}

/** What is kept of an event that cannot be applied. */
export function parkedAt(item: FeedItem, reason: string): ParkedStream {
  const { streamName, revision, position, type } = item;
  return { streamName, revision, position, type, reason };
}
