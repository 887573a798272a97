import { type FeedKeys, feedKeys, workerPrefix } from '#endpoint-state';

/**
 * Where the worker keeps what belongs to one partition. All of these keys carry one hash tag, which names
 * the ledger, how it is divided, and the partition: they are on one slot, so that scripts may touch several
 * of them, and what was written for another ledger or division is never taken for this one's.
 */
export interface WorkerKeys extends FeedKeys {
  /** The division of the ledger that all of it belongs to. */
  readonly layoutId: string;
  /** What BullMQ's keys begin with, and those of the partition's lease. */
  readonly prefix: string;
  /** Sorted set of the newest messages, charges and refunds that have ended, in the store's order. */
  readonly ended: string;
  /**
   * Sorted set of the newest deliveries that were given up, as JSON that begins with the member of the work in
   * flight, and so in the store's order.
   */
  readonly exhausted: string;
  /** Sorted set of charges and refunds in flight, by when the gateway is to be asked (again). */
  readonly dueAtGateway: string;
  /** When the gateway's books were last compared with the ledger, and how far, as JSON. */
  readonly reconciled: string;
  /** How far the partition's part of a test clock's step is. */
  clockPart(appId: string): string;
}

/** Names the store that this Redis was last used with, so that a change of store is logged. */
export const LAST_STORE_KEY = 'sl:worker:store';

/** The workers of a ledger that are alive. */
export function membersKey(layoutId: string): string {
  return `sl:${layoutId}:worker:members`;
}

export function workerKeys(layoutId: string, partition: number): WorkerKeys {
  const prefix = workerPrefix(layoutId, partition);
  return {
    layoutId,
    prefix,
    ...feedKeys(layoutId, partition),
    ended: `${prefix}:feed:ended`,
    exhausted: `${prefix}:delivery:exhausted`,
    dueAtGateway: `${prefix}:feed:due-at-gateway`,
    reconciled: `${prefix}:reconciled`,
    clockPart: (appId) => `${prefix}:clock:${appId}`,
  };
}
