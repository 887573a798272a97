import { Inject, Injectable } from '@nestjs/common';
import type { Position } from '#domain/event';
import { START } from '#event-store';
import type { Log } from '#platform';
import { LOG } from '../tokens.js';
import { DeliveryCheckpoints } from './delivery-checkpoint.js';
import { FeedCheckpoint } from './feed-checkpoint.js';
import { InFlightWork } from './in-flight-work.js';
import { ParkedRetry } from './parked-retry.js';

/**
 * Where the feed goes on after a start, an error, or the loss of Redis: from the checkpoint; else from
 * its backup in the event store, with what that names as in flight; else, in a fresh store, from the
 * beginning. So none is lost, and a bounded few are repeated with the same `webhook-id`.
 */
@Injectable()
export class Recovery {
  constructor(
    private readonly checkpoint: FeedCheckpoint,
    private readonly backups: DeliveryCheckpoints,
    private readonly inFlight: InFlightWork,
    private readonly parked: ParkedRetry,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** @returns the position to go on after. @throws Fault of the store or of Redis. */
  async resume(): Promise<Position> {
    await this.parked.load();
    const kept = await this.checkpoint.load();
    if (kept !== undefined) {
      await this.inFlight.announce();
      await this.parked.retryOnce(kept.position);
      return kept.position;
    }
    const backup = await this.backups.readLast();
    if (backup === undefined) {
      this.log.info('no checkpoint and no backup of one: the store is read from its beginning');
      return this.checkpoint.beginAt(START);
    }
    const { position, inFlight } = backup;
    const details = { position, inFlight: inFlight.length };
    this.log.warn(
      details,
      'Redis knows nothing of this store: going on from the backup in the store',
    );
    // The work comes first: a worker that dies over it finds no checkpoint, and begins it again.
    await this.inFlight.redo(inFlight);
    return this.checkpoint.beginAt(position);
  }
}
