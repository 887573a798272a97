import { Inject, Injectable } from '@nestjs/common';
import type { Backup } from '#worker-state';
import { START, UndecodableEvent } from '#event-store';
import type { Position } from '#domain/event';
import type { Log } from '#platform';
import { LOG } from '../tokens.js';
import { BackupLog } from '../backup/backup-log.js';
import { EventConsumers } from './event-consumer.js';
import { FeedCheckpoint } from '../redis/feed-checkpoint.js';
import { ParkedRetry } from './parked-retry.js';
import { RestoredState } from './restored-state.js';

/**
 * The position at which the feed goes on after a start, an error, or the loss of Redis: the checkpoint's, unless the
 * backup in the event store is ahead of it; else the backup's, with its work in flight and parked streams; else, in a
 * fresh store, from the beginning. A Redis that has lost its last second or its last third so repeats no more than one
 * that was emptied: a bounded few, with the same `webhook-id`.
 */
@Injectable()
export class Recovery {
  constructor(
    private readonly checkpoint: FeedCheckpoint,
    private readonly backups: BackupLog,
    private readonly state: RestoredState,
    private readonly parked: ParkedRetry,
    private readonly consumers: EventConsumers,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** @returns the position to go on after. @throws Fault of the store or of Redis. */
  async resume(): Promise<Position> {
    const kept = await this.checkpoint.recover();
    const backup = await this.#readBackup(kept !== undefined);
    const position = await this.#goOnFrom(kept?.position, backup);
    this.checkpoint.confirm();
    await this.state.load();
    for (const consumer of this.consumers.all) await consumer.resume();
    this.parked.askForAll();
    return position;
  }

  async #goOnFrom(kept: Position | undefined, backup: Backup | undefined): Promise<Position> {
    if (kept !== undefined && kept >= (backup?.position ?? '')) return kept;
    if (backup !== undefined) return this.#restore(backup, kept);
    this.log.info('no checkpoint and no backup of one: the store is read from its beginning');
    return this.checkpoint.standAt(START);
  }

  async #restore(backup: Backup, kept: Position | undefined): Promise<Position> {
    const { position, parked } = backup;
    const details = { position, kept, inFlight: backup.inFlight.length, parked: parked.length };
    this.log.warn(details, 'Redis has lost what it knew: going on from the backup in the store');
    // The work comes first: a worker that dies over it finds the checkpoint as it was, and begins again.
    await this.state.restore(backup);
    return this.checkpoint.standAt(position);
  }

  /** A backup of a newer release cannot be read; while Redis has the checkpoint it need not be. */
  async #readBackup(isKept: boolean): Promise<Backup | undefined> {
    try {
      return await this.backups.readLast();
    } catch (error) {
      if (!isKept || !(error instanceof UndecodableEvent)) throw error;
      this.log.error({ err: error }, 'the backup of the checkpoint cannot be read');
      return undefined;
    }
  }
}
