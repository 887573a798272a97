import { Inject, Injectable } from '@nestjs/common';
import type { Position } from '#domain/event';
import { Fenced, type Lease, runFenced } from '#projection-engine';
import type { Redis, Script } from '#redis';
import type { WorkerKeys } from '#worker-state';
import { KEYS, LEASE, REDIS } from '../tokens.js';
import { FeedCheckpoint } from './feed-checkpoint.js';

type Arguments = readonly (string | number)[];

/**
 * Runs the scripts that begin and end work. Each compares the token of the lease, and the checkpoint: a Redis that came
 * back without its last second, or its last third, has an older one, while the token may still be there. Nothing is
 * then begun or sent before the losses are back (decision 0013).
 */
@Injectable()
export class PartitionScripts {
  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(KEYS) private readonly keys: WorkerKeys,
    @Inject(LEASE) private readonly lease: Lease,
    @Inject(FeedCheckpoint)
    private readonly checkpoint: Pick<FeedCheckpoint, 'reached' | 'reachedForFeed'>,
  ) {}

  /** For the feed and its recovery, which know the position of Redis. @throws Fenced; Fault of Redis. */
  async runForFeed(script: Script, keys: readonly string[], args: Arguments): Promise<unknown> {
    return this.#run(script, keys, [this.checkpoint.reachedForFeed, ...args]);
  }

  /** For jobs, which may come from before a loss. @throws Fenced, also until the feed goes on; Fault. */
  async runForJob(script: Script, keys: readonly string[], args: Arguments): Promise<unknown> {
    const { reached } = this.checkpoint;
    if (reached === undefined) throw new Fenced(this.lease.fence);
    return this.#run(script, keys, [reached, ...args]);
  }

  #run(
    script: Script,
    keys: readonly string[],
    [position, ...args]: readonly [Position, ...Arguments],
  ): Promise<unknown> {
    const all = { keys: [this.keys.checkpoint, ...keys], args: [position, ...args] };
    return runFenced(this.redis, this.lease.fence, script, all);
  }
}
