import { fromMilliseconds, toMilliseconds } from '#domain/calendar';
import type { Instant } from '#domain/event';
import { dueDateList } from '#projections';
import { type Redis, redisReply } from '#redis';
import { assertLive, decodeCheckpoint } from './checkpoint.js';
import type { PartitionKeys } from './keys.js';

export interface DueSubscription {
  readonly subscriptionId: string;
  readonly dueAt: Instant;
}

/** What is due in an app, in these partitions. @throws Fault `unavailable`. */
export async function readDue(
  redis: Redis,
  partitions: readonly PartitionKeys[],
  appId: string,
  { until, limit }: { readonly until: Instant; readonly limit: number },
): Promise<DueSubscription[]> {
  const parts = await Promise.all(
    partitions.map(async (partition) => {
      const key = partition.index(dueDateList(appId));
      const [reply, checkpoint] = await Promise.all([
        redisReply(
          redis.zrangebyscore(key, '-inf', toMilliseconds(until), 'WITHSCORES', 'LIMIT', 0, limit),
        ),
        redisReply(redis.get(partition.checkpoint)),
      ]);
      assertLive(decodeCheckpoint(checkpoint));
      return withScores(reply);
    }),
  );
  return parts
    .flat()
    .sort((left, right) => left.dueAtMs - right.dueAtMs)
    .slice(0, limit)
    .map(({ subscriptionId, dueAtMs }) => ({ subscriptionId, dueAt: fromMilliseconds(dueAtMs) }));
}

function withScores(reply: readonly string[]): { subscriptionId: string; dueAtMs: number }[] {
  const entries: { subscriptionId: string; dueAtMs: number }[] = [];
  for (let at = 0; at < reply.length; at += 2) {
    entries.push({ subscriptionId: reply[at] ?? '', dueAtMs: Number(reply[at + 1]) });
  }
  return entries;
}
