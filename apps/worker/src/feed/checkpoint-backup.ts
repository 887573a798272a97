import { Inject, Injectable } from '@nestjs/common';
import { type Log, sleepUntilTick, warnSeldom } from '#platform';
import { BACKUP_EVERY_MS } from '../limits.js';
import { LOG } from '../tokens.js';
import { BatchHandler } from './batch-handler.js';
import { type DeliveryCheckpoint, DeliveryCheckpoints } from './delivery-checkpoint.js';
import { FeedProgress } from './feed-progress.js';

/**
 * Backs the checkpoint up in the event store: when there is something new to say, and at most every
 * few seconds.
 */
@Injectable()
export class CheckpointBackup {
  #last: DeliveryCheckpoint | undefined;

  constructor(
    private readonly progress: FeedProgress,
    private readonly backups: DeliveryCheckpoints,
    private readonly batches: BatchHandler,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Runs until the signal is aborted; never throws. */
  async run(signal: AbortSignal): Promise<void> {
    this.#last = await this.backups.readLast().catch(() => undefined);
    while (await sleepUntilTick(BACKUP_EVERY_MS, signal)) {
      await this.#write((present) => this.#isNew(present));
    }
  }

  /** The last backup of a worker that stops in order, when all else has ended: nothing is repeated then. */
  async writeLast(): Promise<void> {
    await this.#write(
      (present) => present.position !== this.#last?.position || this.#hasMoved(present),
    );
  }

  async #write(isWorthIt: (present: DeliveryCheckpoint) => boolean): Promise<void> {
    try {
      const present = await this.progress.read();
      if (present === undefined || !isWorthIt(present)) return;
      if (this.#last === undefined) await this.backups.limit();
      await this.backups.write(present);
      this.#last = present;
    } catch (error) {
      warnSeldom(this.log, error, 'the checkpoint could not be backed up; it is tried again');
    }
  }

  /** A position that moved over events of others, the last backup among them, is nothing new. */
  #isNew(present: DeliveryCheckpoint): boolean {
    if (this.#last === undefined) return true;
    return this.batches.lastEventAt > this.#last.position || this.#hasMoved(present);
  }

  #hasMoved({ inFlight }: DeliveryCheckpoint): boolean {
    return this.#last?.inFlight.join() !== inFlight.join();
  }
}
