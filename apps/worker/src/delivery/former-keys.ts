import { Inject, Injectable } from '@nestjs/common';
import { type InFlight, readInFlight } from '#checkpoint-backup';
import { idOf } from '#domain/event';
import { clearKeys, type Lease } from '#projection-engine';
import { type Redis, redisReply } from '#redis';
import { InFlightSet } from '../feed/in-flight-set.js';
import { FORMER_JOBS_REMOVED_AT_ONCE } from '../limits.js';
import type { WorkerKeys } from '../redis/keys.js';
import { KEYS, LEASE, REDIS } from '../tokens.js';
import { RetryQueue } from './retry-queue.js';

/**
 * What releases before decision 0122 left in Redis of deliveries in flight: a text and a subject queue for each, up
 * to hundreds of gigabytes, which nothing reads any more. Jobs of theirs that still wait leave by themselves when
 * they are due: nothing is found for them then.
 */
@Injectable()
export class FormerKeys {
  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(KEYS) private readonly keys: WorkerKeys,
    @Inject(LEASE) private readonly lease: Lease,
    private readonly inFlight: InFlightSet,
    private readonly retries: RetryQueue,
  ) {}

  /**
   * To be called before a delivery ends: their keys follow from what is in flight.
   *
   * @throws Fault of Redis; Fenced.
   */
  async remove(): Promise<void> {
    await this.#removeFailedJobs();
    // Those releases had it while a delivery was in flight. It goes last, so that the next start ends what a crash
    // interrupted.
    const mark = `${this.keys.prefix}:delivery:expected-jobs`;
    if ((await redisReply(this.redis.exists(mark))) === 0) return;
    for await (const page of this.inFlight.pages()) {
      const keys = page.flatMap(({ member }) => this.#listKeys(readInFlight(member)));
      if (keys.length > 0) await clearKeys(this.redis, this.lease.fence, keys);
    }
    await clearKeys(this.redis, this.lease.fence, [mark]);
  }

  #listKeys(inFlight: InFlight | undefined): string[] {
    if (inFlight?.messageId === undefined) return [];
    const { target, streamName, messageId } = inFlight;
    const { prefix } = this.keys;
    const queue = `${prefix}:subject-queue:${target}:${idOf(streamName)}`;
    return [`${prefix}:message:${target}-${messageId}`, queue];
  }

  /** Of those that were given up a job was kept, and no release from 0122 on keeps one. */
  async #removeFailedJobs(): Promise<void> {
    let removed: string[];
    do {
      removed = await redisReply(
        this.retries.queue.clean(0, FORMER_JOBS_REMOVED_AT_ONCE, 'failed'),
      );
    } while (removed.length === FORMER_JOBS_REMOVED_AT_ONCE);
  }
}
