import { Inject, Injectable } from '@nestjs/common';
import { type ExhaustedDelivery, nameNewest } from '#checkpoint-backup';
import { type Lease, runFenced } from '#projection-engine';
import { loadScript, type Redis, redisReply } from '#redis';
import type { WorkerKeys } from '../redis/keys.js';
import { KEYS, LEASE, REDIS } from '../tokens.js';

const restoreExhausted = loadScript(new URL('./lua/restore-exhausted-2.lua', import.meta.url));

/** The newest deliveries of the partition that were given up. Calls throw Fault of Redis, and Fenced. */
@Injectable()
export class ExhaustedSet {
  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(KEYS) private readonly keys: WorkerKeys,
    @Inject(LEASE) private readonly lease: Lease,
  ) {}

  /** By their members of the work in flight, in the store's order. */
  async read(): Promise<ReadonlyMap<string, ExhaustedDelivery>> {
    const stored = await redisReply(this.redis.zrange(this.keys.exhausted, 0, '-1'));
    // Written in this form by the end of a message, and by `restore`.
    return nameNewest(stored.map((text) => JSON.parse(text) as ExhaustedDelivery));
  }

  /** Names those again that a backup names. */
  async restore(exhausted: ReadonlyMap<string, ExhaustedDelivery>): Promise<void> {
    if (exhausted.size === 0) return;
    const args = [...exhausted.values()].map((delivery) => JSON.stringify(delivery));
    const keys = [this.keys.exhausted];
    await runFenced(this.redis, this.lease.fence, restoreExhausted, { keys, args });
  }
}
