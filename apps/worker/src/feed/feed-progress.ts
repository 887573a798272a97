import { Inject, Injectable } from '@nestjs/common';
import { decodeCheckpoint, NOTHING } from '#projection-engine';
import { loadScript, type Redis } from '#redis';
import { IN_FLIGHT_IN_BACKUP } from '../limits.js';
import type { WorkerKeys } from '../redis/keys.js';
import { KEYS, REDIS } from '../tokens.js';
import { boundedCheckpoint, type DeliveryCheckpoint } from './delivery-checkpoint.js';

const readProgress = loadScript(new URL('./lua/read-progress-2.lua', import.meta.url));

/** What Redis knows of the feed's progress, for the backup. Calls throw Fault when it is out of reach. */
@Injectable()
export class FeedProgress {
  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(KEYS) private readonly keys: WorkerKeys,
  ) {}

  /** What a backup would say now; undefined when Redis knows nothing. */
  async read(): Promise<DeliveryCheckpoint | undefined> {
    const limit = IN_FLIGHT_IN_BACKUP + 1;
    const keys = [this.keys.checkpoint, this.keys.inFlight];
    // The script's header says what it answers.
    const reply = (await readProgress(this.redis, keys, [limit])) as [string | null, ...string[]];
    const [stored, ...members] = reply;
    const position = decodeCheckpoint(stored)?.position;
    if (position === undefined || position === NOTHING) return undefined;
    return boundedCheckpoint(position, members);
  }
}
