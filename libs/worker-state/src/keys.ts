import { partitionTag } from '#projection-engine';

/** The queue of BullMQ in which deliveries that failed wait for their next attempt (decision 0029). */
export const RETRY_QUEUE = 'webhooks';

/** Names the store that this Redis was last used with, so that a change of store is logged. */
export const LAST_STORE_KEY = 'sl:worker:store';

/** The workers of a ledger that are alive. */
export function membersKey(layoutId: string): string {
  return `sl:${layoutId}:worker:members`;
}

/**
 * The worker's keys of one partition (rules/storage 7). All of these keys carry one hash tag, which names the ledger,
 * its division, and the partition: they are on one slot, so that scripts may touch several of them, and keys of another
 * ledger or division are never taken for this one's.
 */
export interface WorkerKeys {
  /** The division of the ledger that all of it belongs to. */
  readonly layoutId: string;
  /** The prefix of BullMQ's keys, and of those of the partition's lease. */
  readonly prefix: string;
  /** How far events are worked on, as the projection engine stores a checkpoint. */
  readonly checkpoint: string;
  /** Sorted set of all that was begun and has not ended, in the store's order. */
  readonly inFlight: string;
  /** Hash of streams that could not be worked on, with the reason. */
  readonly parked: string;
  /** Hash of the backlogged endpoints, by their ids: after which position the store is read for each. */
  readonly cursors: string;
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
  /** Stream of the partition's attempts at an endpoint. */
  deliveryLog(endpointId: string): string;
}

export function workerKeys(layoutId: string, partition: number): WorkerKeys {
  const prefix = `${partitionTag(layoutId, partition)}:worker`;
  return {
    layoutId,
    prefix,
    checkpoint: `${prefix}:feed:checkpoint`,
    inFlight: `${prefix}:feed:in-flight`,
    parked: `${prefix}:feed:parked`,
    cursors: `${prefix}:delivery:cursors`,
    ended: `${prefix}:feed:ended`,
    exhausted: `${prefix}:delivery:exhausted`,
    dueAtGateway: `${prefix}:feed:due-at-gateway`,
    reconciled: `${prefix}:reconciled`,
    clockPart: (appId) => `${prefix}:clock:${appId}`,
    deliveryLog: (endpointId) => `${prefix}:delivery:log:${endpointId}`,
  };
}

/** The keys of the shared state of one endpoint. */
export interface EndpointKeys {
  /** Hash: how many attempts in a row have failed, since when, and until when no more are made. */
  readonly failures: string;
  /** List: when the attempts of the last second began, of an endpoint that has a bound of them. */
  readonly tokens: string;
}

/** An endpoint's deliveries may be of any partition: it has a hash tag of its own. */
export function endpointKeys(layoutId: string, endpointId: string): EndpointKeys {
  const prefix = `{sl:${layoutId}:${endpointId}}:worker`;
  return { failures: `${prefix}:failures`, tokens: `${prefix}:tokens` };
}
