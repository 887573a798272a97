import { loadScript, type Redis } from '#redis';
import { type AttemptRecord, encodeAttempt } from './attempt.js';
import { deliveryLogKey, type LogPartition } from './keys.js';
import { ATTEMPTS_KEPT, KEPT_SECONDS } from './limits.js';

const appendToLogs = loadScript(new URL('./lua/append-attempts-n.lua', import.meta.url));

/** An attempt, at the endpoint that it was made for. */
export interface AttemptToLog extends AttemptRecord {
  readonly endpointId: string;
}

/**
 * Adds attempts to the logs of their endpoints, all of one partition and in one act (decision 0031). Each
 * partition keeps its share of an endpoint's attempts, to within one node of the stream, which Redis drops whole;
 * what is older than seven days goes with it, or with the stream, where nothing was added for so long.
 *
 * @throws Fault `unavailable`. The log may be lost: who calls goes on without it.
 */
export async function appendAttempts(
  redis: Redis,
  place: LogPartition,
  attempts: readonly AttemptToLog[],
): Promise<void> {
  if (attempts.length === 0) return;
  const share = Math.ceil(ATTEMPTS_KEPT / place.partitions);
  const oldest = Date.now() - KEPT_SECONDS * 1_000;
  const args: (string | number)[] = [share, oldest, KEPT_SECONDS];
  /** By endpoint, its number among the keys. */
  const logs = new Map<string, number>();
  for (const attempt of attempts) {
    const { endpointId } = attempt;
    const log = logs.get(endpointId) ?? logs.size + 1;
    logs.set(endpointId, log);
    args.push(log, encodeAttempt(attempt));
  }
  const keys = [...logs.keys()].map((endpointId) => deliveryLogKey(place, endpointId));
  await appendToLogs(redis, keys, args);
}
