import { Inject, Injectable } from '@nestjs/common';
import { Fault, type Log, sleepUnlessAborted } from '#platform';
import { LOSS_CHECK_EVERY_MS } from '../limits.js';
import { LOG } from '../tokens.js';
import { FeedCheckpoint } from './feed-checkpoint.js';
import { ParkingGate } from './parking-gate.js';

/** Redis may lose its memory while no event goes by: then no batch would notice. */
@Injectable()
export class LossWatch {
  constructor(
    private readonly checkpoint: FeedCheckpoint,
    private readonly gate: ParkingGate,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Resolves when the checkpoint is lost, or when the signal is aborted; never throws. */
  async untilLost(signal: AbortSignal): Promise<void> {
    while (await sleepUnlessAborted(LOSS_CHECK_EVERY_MS, signal)) {
      try {
        await this.gate.load();
        if (this.checkpoint.current !== undefined) await this.checkpoint.verify();
      } catch (error) {
        if (error instanceof Fault && error.code === 'conflict') {
          this.log.warn({ err: error }, 'Redis has lost the checkpoint of the feed');
          return;
        }
        this.log.debug({ err: error }, 'Redis could not be asked for the checkpoint');
      }
    }
  }
}
