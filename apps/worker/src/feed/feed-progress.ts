import { Inject, Injectable } from '@nestjs/common';
import type { Position } from '#domain/event';
import { decodeCheckpoint, type Lease, NOTHING, runFenced } from '#projection-engine';
import { loadScript, type Redis } from '#redis';
import type { WorkerKeys } from '../redis/keys.js';
import { KEYS, LEASE, REDIS } from '../tokens.js';

const readChanges = loadScript(new URL('./lua/read-changes-3.lua', import.meta.url));
const dropChanges = loadScript(new URL('./lua/drop-changes-2.lua', import.meta.url));

/** What Redis knew at one moment. */
export interface ProgressSnapshot {
  readonly position: Position;
  /**
   * Another one after every loss: a Redis that was restored has a checkpoint of a new epoch, and one that
   * started again is another server, which may lack what was written last.
   */
  readonly identity: string;
  /** What changed since the last record of the backup: lines, the oldest first. */
  readonly lines: readonly string[];
  /** How many lines there are in all. */
  readonly lineCount: number;
}

/** What Redis knows of the feed's progress, for the backup. Calls throw Fault of Redis, and Fenced. */
@Injectable()
export class FeedProgress {
  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(KEYS) private readonly keys: WorkerKeys,
    @Inject(LEASE) private readonly lease: Lease,
  ) {}

  /** Undefined when Redis knows nothing. */
  async read(limit: number): Promise<ProgressSnapshot | undefined> {
    const keys = [this.keys.checkpoint, this.keys.changes];
    // The script's header says what it answers.
    const [stored, server, lineCount, ...lines] = (await runFenced(
      this.redis,
      this.lease.fence,
      readChanges,
      { keys, args: [limit] },
    )) as [string, string, number, ...string[]];
    const { position = NOTHING, epoch = '' } = decodeCheckpoint(stored) ?? {};
    if (position === NOTHING) return undefined;
    return { position, identity: `${epoch} ${server}`, lines, lineCount };
  }

  /** Drops the oldest lines, which the backup names now. */
  async drop(lines: number): Promise<void> {
    if (lines === 0) return;
    const keys = [this.keys.changes];
    await runFenced(this.redis, this.lease.fence, dropChanges, { keys, args: [lines] });
  }
}
