import { workerPrefix } from './retry-queue-keys.js';

/** Where a partition's worker keeps how far it is, beside what it speaks of (rules/storage 7): all of it is on one slot. */
export interface FeedKeys {
  /** How far events are worked on, as the projection engine stores a checkpoint. */
  readonly checkpoint: string;
  /** Sorted set of all that was begun and has not ended, in the store's order. */
  readonly inFlight: string;
  /** Hash of streams that could not be worked on, with the reason. */
  readonly parked: string;
  /** Hash of the endpoints that lag behind, by their ids: after which position the store is read for each. */
  readonly cursors: string;
}

export function feedKeys(layoutId: string, partition: number): FeedKeys {
  const prefix = workerPrefix(layoutId, partition);
  return {
    checkpoint: `${prefix}:feed:checkpoint`,
    inFlight: `${prefix}:feed:in-flight`,
    parked: `${prefix}:feed:parked`,
    cursors: `${prefix}:delivery:cursors`,
  };
}
