/**
 * Where the worker keeps things in Redis. All keys carry one hash tag, which names the store: they
 * are on one slot, so that scripts may touch several of them, and what was written for another store
 * is never taken for this one's.
 */
export interface WorkerKeys {
  /** What BullMQ's keys begin with. */
  readonly prefix: string;
  /** Hash `{epoch, position}`: how far events are worked off. */
  readonly checkpoint: string;
  /** Sorted set of all that was begun and is not settled, in the store's order. */
  readonly unsettled: string;
  /** Hash of streams that could not be worked on, with the reason. */
  readonly parked: string;
  /** Who writes the next mark. */
  readonly markTurn: string;
  /** Sorted set of the messages that wait for an endpoint, of one subject, by their sequence. */
  line(endpointId: string, subject: string): string;
}

/** Names the store that this Redis was last used with, so that a change of it is said aloud. */
export const LAST_STORE_KEY = 'sl:worker:store';

export function keysOf(storeId: string): WorkerKeys {
  const prefix = `{sl:w1:${storeId}}`;
  return {
    prefix,
    checkpoint: `${prefix}:reactor:checkpoint`,
    unsettled: `${prefix}:reactor:unsettled`,
    parked: `${prefix}:reactor:parked`,
    markTurn: `${prefix}:reactor:mark-turn`,
    line: (endpointId, subject) => `${prefix}:line:${endpointId}:${subject}`,
  };
}
