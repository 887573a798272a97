import { Inject, Injectable } from '@nestjs/common';
import type { Position } from '#domain/event';
import { START, UndecodableEvent } from '#event-store';
import type { Log } from '#platform';
import { type Backup, PROCESS, readInFlight } from '#worker-state';
import { BackupLog } from '../backup/backup-log.js';
import { CursorSet } from '../redis/cursor-set.js';
import { ExhaustedSet } from '../redis/exhausted-set.js';
import { FeedCheckpoint } from '../redis/feed-checkpoint.js';
import type { Member } from '../redis/in-flight-set.js';
import { LOG } from '../tokens.js';
import { EventConsumers } from './event-consumer.js';
import { InFlightWork } from './in-flight-work.js';
import { ParkedRetry } from './parked-retry.js';
import { ParkingGate } from './parking-gate.js';

/** The state of a partition in Redis beside its checkpoint. Calls throw Fault of the store or of Redis, and Fenced. */
@Injectable()
export class RestoredState {
  constructor(
    private readonly gate: ParkingGate,
    private readonly exhausted: ExhaustedSet,
    private readonly cursors: CursorSet,
    private readonly inFlight: InFlightWork,
  ) {}

  /** Has Redis hold the state that a backup names. */
  async restore(backup: Backup): Promise<void> {
    const { position } = backup;
    await this.gate.restore(backup.parked, position);
    await this.exhausted.restore(backup.exhausted);
    await this.cursors.restore(backup.cursors);
    await this.inFlight.restore(toDueTimes(backup), position);
  }

  /** Has this process load its part of that into memory. */
  async load(): Promise<void> {
    await this.gate.load();
    await this.cursors.load();
  }
}

/** By the wall clock. The gateway is asked at once where no later time is named. */
function toDueTimes({ inFlight }: Backup): Member[] {
  return inFlight.map(({ member, askAgainAt = '' }) => {
    const isOfGateway = readInFlight(member)?.target === PROCESS;
    return { member, dueAtMs: isOfGateway ? Date.parse(askAgainAt) || 0 : null };
  });
}

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
