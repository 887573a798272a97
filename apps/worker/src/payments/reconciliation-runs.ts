import { Inject, Injectable } from '@nestjs/common';
import type { Instant, Position } from '#domain/event';
import { type Redis, redisReply } from '#redis';
import type { WorkerKeys } from '#worker-state';
import { KEYS, REDIS } from '../tokens.js';

/** When a run was, and where the store's log ended then. */
export interface Run {
  readonly at: Instant;
  readonly position: Position;
}

/** The last two runs: a payment on its way at the last one is compared by the next. */
interface Runs {
  readonly last: Run;
  readonly before: Run;
}

/** When the gateway's books were compared with the ledger, in Redis. Calls throw Fault of Redis. */
@Injectable()
export class ReconciliationRuns {
  constructor(
    @Inject(REDIS) private readonly redis: Pick<Redis, 'get' | 'set'>,
    @Inject(KEYS) private readonly keys: Pick<WorkerKeys, 'reconciled'>,
  ) {}

  /** Undefined where Redis knows of none. */
  async read(): Promise<Runs | undefined> {
    const stored = await redisReply(this.redis.get(this.keys.reconciled));
    // Only `keep` writes there.
    return stored === null ? undefined : (JSON.parse(stored) as Runs);
  }

  async keep(runs: Runs): Promise<void> {
    await redisReply(this.redis.set(this.keys.reconciled, JSON.stringify(runs)));
  }
}
