import { Inject, Injectable } from '@nestjs/common';
import type { Instant } from '#domain/event';
import { loadScript, type Redis, redisReply } from '#redis';
import { PartitionScripts } from '../feed/partition-scripts.js';
import { RETRIES_PAGE } from '../limits.js';
import type { WorkerKeys } from '../redis/keys.js';
import { KEYS, REDIS } from '../tokens.js';

const keepRetry = loadScript(new URL('./lua/keep-retry-4.lua', import.meta.url));

/** What attempts that failed have left of a delivery, as it is stored. Times are those of the wall clock. */
export interface KeptRetry {
  /** That were made and failed. */
  readonly attempts: number;
  readonly firstFailedAtMs: number;
  /** When the next one is due. */
  readonly dueAtMs: number;
  /** When its endpoint had been enabled, as the attempt was made; undefined where that is not known. */
  readonly enabledAt?: Instant | undefined;
}

/**
 * How often deliveries in flight have failed, and since when, from the first failure until they end (decision 0166):
 * BullMQ's job of a retry is gone when that begins, and what waits for a breaker has none. Calls throw Fault of Redis,
 * and Fenced.
 */
@Injectable()
export class RetrySet {
  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(KEYS) private readonly keys: WorkerKeys,
    private readonly scripts: PartitionScripts,
  ) {}

  /** Of a delivery that has ended meanwhile nothing is kept. Its end, as `InFlightSet` notes it, takes it away. */
  async keep(member: string, kept: KeptRetry): Promise<void> {
    const { inFlight, retries } = this.keys;
    await this.scripts.runForJob(keepRetry, [inFlight, retries], [member, JSON.stringify(kept)]);
  }

  /** By their members of the work in flight. */
  async readAll(): Promise<Map<string, KeptRetry>> {
    const all = new Map<string, KeptRetry>();
    for (let cursor = ''; cursor !== '0';) {
      const scan = this.redis.hscan(this.keys.retries, cursor || '0', 'COUNT', RETRIES_PAGE);
      const [next, texts] = await redisReply(scan);
      for (let at = 0; at < texts.length; at += 2) {
        // Written by `keep` alone.
        all.set(texts[at] ?? '', JSON.parse(texts[at + 1] ?? '') as KeptRetry);
      }
      cursor = next;
    }
    return all;
  }
}
