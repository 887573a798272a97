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

/** The entry kept of an event that cannot be applied. */
export function parkedAt(item: FeedItem, reason: string): ParkedStream {
  const { streamName, revision, position, type } = item;
  return { streamName, revision, position, type, reason };
}

/** The parked streams of one read model in one partition. @throws Fault of Redis. */
export async function readParked(redis: Redis, key: string): Promise<ParkedStream[]> {
  const stored = await redisReply(redis.hvals(key));
  // Only a batch writes there, in this form.
  return stored.map((text) => JSON.parse(text) as ParkedStream);
}
