/**
 * Where the worker keeps things in Redis. All keys carry one hash tag, which names the store: they
 * are on one slot, so that scripts may touch several of them, and what was written for another store
 * is never taken for this one's.
 */
export interface WorkerKeys {
  /** The identity of the store that all of it belongs to. */
  readonly storeId: string;
  /** What BullMQ's keys begin with. */
  readonly prefix: string;
  /** The token that every script compares with its caller's. */
  readonly fence: string;
  /** How far events are worked on, as the projection engine stores a checkpoint. */
  readonly checkpoint: string;
  /** Sorted set of all that was begun and has not ended, in the store's order. */
  readonly inFlight: string;
  /** Hash of streams that could not be worked on, with the reason. */
  readonly parked: string;
  /** Held by the worker that writes the next backup of the checkpoint. */
  readonly backupClaim: string;
  /** Sorted set of the jobs that must be there: the first of each subject queue, and what stepped aside. */
  readonly expectedJobs: string;
  /** Sorted set of the newest messages that have ended, in the store's order. */
  readonly ended: string;
  /** Sorted set of the messages of one subject that wait for an endpoint, by their sequence. */
  subjectQueue(endpointId: string, subject: string): string;
  /** A message on its way to one endpoint, as JSON, by the id of its job. */
  message(jobId: string): string;
}

/** Names the store that this Redis was last used with, so that a change of store is logged. */
export const LAST_STORE_KEY = 'sl:worker:store';

export function workerKeys(storeId: string): WorkerKeys {
  const prefix = `{sl:w1:${storeId}}`;
  return {
    storeId,
    prefix,
    fence: `${prefix}:fence`,
    checkpoint: `${prefix}:feed:checkpoint`,
    inFlight: `${prefix}:feed:in-flight`,
    parked: `${prefix}:feed:parked`,
    backupClaim: `${prefix}:feed:backup-claim`,
    expectedJobs: `${prefix}:delivery:expected-jobs`,
    ended: `${prefix}:delivery:ended`,
    subjectQueue: (endpointId, subject) => `${prefix}:subject-queue:${endpointId}:${subject}`,
    message: (jobId) => `${prefix}:message:${jobId}`,
  };
}
