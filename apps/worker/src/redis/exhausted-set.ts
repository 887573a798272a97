import { Inject, Injectable } from '@nestjs/common';
import { type Lease, runFenced } from '#projection-engine';
import { loadScript, type Redis, redisReply } from '#redis';
import type { AppDirectory } from '#tenancy';
import { type ExhaustedDelivery, nameNewest, readInFlight, type WorkerKeys } from '#worker-state';
import { WRITTEN_AT_ONCE } from '../limits.js';
import { APPS, KEYS, LEASE, REDIS } from '../tokens.js';

const changeExhausted = loadScript(new URL('./lua/change-exhausted-2.lua', import.meta.url));

/** The newest deliveries of the partition that were given up. Calls throw Fault of the store or of Redis, and Fenced. */
@Injectable()
export class ExhaustedSet {
  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(KEYS) private readonly keys: WorkerKeys,
    @Inject(LEASE) private readonly lease: Lease,
    @Inject(APPS) private readonly apps: Pick<AppDirectory, 'findEndpoint'>,
  ) {}

  /** In the store's order. Those of which there are newer ones enough go, and those of endpoints that were deleted. */
  async read(): Promise<ExhaustedDelivery[]> {
    const stored = await redisReply(this.redis.zrange(this.keys.exhausted, 0, '-1'));
    // Written in this form by the end of a message, and by `restore`.
    const all = stored.map((text) => JSON.parse(text) as ExhaustedDelivery);
    const named = nameNewest(await this.#leaveOutDeleted(all));
    const kept = new Set(named.map((delivery) => JSON.stringify(delivery)));
    await this.#change(
      'remove',
      stored.filter((text) => !kept.has(text)),
    );
    return named;
  }

  /** Names those again that a backup names. */
  async restore(exhausted: readonly ExhaustedDelivery[]): Promise<void> {
    await this.#change(
      'add',
      exhausted.map((delivery) => JSON.stringify(delivery)),
    );
  }

  async #leaveOutDeleted(all: readonly ExhaustedDelivery[]): Promise<ExhaustedDelivery[]> {
    const targets = new Set(all.map(readTarget));
    for (const target of [...targets]) {
      if ((await this.apps.findEndpoint(target)) === undefined) targets.delete(target);
    }
    return all.filter((each) => targets.has(readTarget(each)));
  }

  async #change(how: 'add' | 'remove', deliveries: readonly string[]): Promise<void> {
    for (let at = 0; at < deliveries.length; at += WRITTEN_AT_ONCE) {
      const args = [how, ...deliveries.slice(at, at + WRITTEN_AT_ONCE)];
      const keys = [this.keys.exhausted];
      await runFenced(this.redis, this.lease.fence, changeExhausted, { keys, args });
    }
  }
}

/** Empty for a member that another release may have written. */
function readTarget({ member }: ExhaustedDelivery): string {
  return readInFlight(member)?.target ?? '';
}
