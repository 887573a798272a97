import { Inject, Injectable } from '@nestjs/common';
import type { Instant } from '#domain/event';
import type { Partitions } from '#event-store';
import { type Lease, runFenced } from '#projection-engine';
import type { PendingCharge } from '#projections';
import { loadScript, type Redis, redisReply } from '#redis';
import { type WorkerKeys, workerKeys } from '#worker-state';
import { CLOCK_PART_SAID_EVERY_MS } from '../limits.js';
import { KEYS, LEASE, PARTITIONS, REDIS } from '../tokens.js';

/** A partition repeats its answer long before. */
const CLOCK_PART_KEPT_MS = 6 * CLOCK_PART_SAID_EVERY_MS;

const answerClockPart = loadScript(new URL('./lua/answer-clock-part-2.lua', import.meta.url));

/** How far a partition is with an app's due dates: all up to `standsAt` are settled. */
export interface ClockPart {
  /** Where the clock stands, and where it is going: an answer is to this step alone. */
  readonly standsAt: Instant;
  readonly target: Instant;
  /** The next due date in the partition, up to the target; null for none. */
  readonly next: Instant | null;
  /** The charges that the gateway had left pending: the answer holds as long as it leaves them so. */
  readonly restsOn: readonly PendingCharge[];
}

/** The messages of partitions' holders to the conductor of a test clock. Calls throw Fault of Redis. */
@Injectable()
export class ClockParts {
  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(KEYS) private readonly keys: WorkerKeys,
    @Inject(LEASE) private readonly lease: Lease,
    @Inject(PARTITIONS) private readonly partitions: Partitions,
  ) {}

  /** @throws Fenced when the partition has gone to another process. */
  async answer(appId: string, part: ClockPart): Promise<void> {
    const keys = [this.keys.clockPart(appId)];
    const args = [JSON.stringify(part), CLOCK_PART_KEPT_MS];
    await runFenced(this.redis, this.lease.fence, answerClockPart, { keys, args });
  }

  /** The last message of each partition, in the order of their numbers; undefined of one without. */
  async readAll(appId: string): Promise<(ClockPart | undefined)[]> {
    const { layoutId } = this.keys;
    return Promise.all(
      this.partitions.numbers.map(async (partition) => {
        const key = workerKeys(layoutId, partition).clockPart(appId);
        const stored = await redisReply(this.redis.get(key));
        // Only `answer` writes there.
        return stored === null ? undefined : (JSON.parse(stored) as ClockPart);
      }),
    );
  }
}
