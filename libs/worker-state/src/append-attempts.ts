import { loadScript, type Redis } from '#redis';
import { type AttemptRecord, encodeAttempt } from './attempt.js';
import { workerKeys } from './keys.js';
import { ATTEMPTS_KEPT, KEPT_SECONDS } from './limits.js';

const appendToLogs = loadScript(new URL('./lua/append-attempts-n.lua', import.meta.url));

/** An attempt, at the endpoint that it was made for. */
export interface AttemptToLog extends AttemptRecord {
  readonly endpointId: string;
}

/** A partition of a ledger, and of how many it is one. */
interface LogPartition {
  readonly layoutId: string;
  readonly partition: number;
  readonly partitions: number;
}

/**
 * Adds attempts to the logs of their endpoints, all of one partition and in one act (decision 0031). Each partition
 * keeps its share of an endpoint's attempts, to within one node of the stream, which Redis drops whole; attempts older
 * than seven days go with it, or with the stream, where nothing was added for so long.
 *
 * @throws Fault `unavailable`. The log may be lost: who calls goes on without it.
 */
export async function appendAttempts(
  redis: Redis,
  { layoutId, partition, partitions }: LogPartition,
  attempts: readonly AttemptToLog[],
): Promise<void> {
  if (attempts.length === 0) return;
  const share = Math.ceil(ATTEMPTS_KEPT / partitions);
  const oldest = Date.now() - KEPT_SECONDS * 1_000;
  const endpointIds = [...new Set(attempts.map(({ endpointId }) => endpointId))];
  const entries = attempts.flatMap((attempt) => [
    endpointIds.indexOf(attempt.endpointId) + 1,
    encodeAttempt(attempt),
  ]);
  const keys = workerKeys(layoutId, partition);
  const logs = endpointIds.map((endpointId) => keys.deliveryLog(endpointId));
  await appendToLogs(redis, logs, [share, oldest, KEPT_SECONDS, ...entries]);
}
