import { Inject, Injectable } from '@nestjs/common';
import { Fault, type Log } from '#platform';
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

  /** Whether the checkpoint is lost, or thrown back. Never throws. */
  async isLost(): Promise<boolean> {
    try {
      await this.gate.load();
      if (this.checkpoint.current !== undefined) await this.checkpoint.verify();
    } catch (error) {
      if (error instanceof Fault && error.code === 'conflict') {
        this.log.warn({ err: error }, 'Redis has lost the checkpoint of the feed');
        return true;
      }
      this.log.debug({ err: error }, 'Redis could not be asked for the checkpoint');
    }
    return false;
  }
}
