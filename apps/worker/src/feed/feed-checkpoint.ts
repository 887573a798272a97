import { Inject, Injectable } from '@nestjs/common';
import type { Position } from '#domain/event';
import type { Lease } from '#projection-engine';
import type { Redis } from '#redis';
import type { WorkerKeys } from '../redis/keys.js';
import { KEYS, LEASE, REDIS } from '../tokens.js';
import { UnbrokenCheckpoint } from './unbroken-checkpoint.js';

/** How far events are worked on, in the same Redis as the jobs that they gave rise to. */
@Injectable()
export class FeedCheckpoint extends UnbrokenCheckpoint {
  constructor(
    @Inject(REDIS) redis: Redis,
    @Inject(KEYS) private readonly workerKeys: WorkerKeys,
    @Inject(LEASE) { fence }: Lease,
  ) {
    super(redis, workerKeys, fence);
  }

  /** Begins at a position; another worker may have been faster, then with its. @throws Fault of Redis. */
  async beginAt(position: Position): Promise<Position> {
    return (await this.begin(position, this.workerKeys.layoutId)).position;
  }
}
