import { Inject, Injectable } from '@nestjs/common';
import { type Log, warnSeldom } from '#platform';
import { LOG } from '../tokens.js';
import { FeedCheckpoint } from './feed-checkpoint.js';

/** Redis may lose its memory while no event goes by: then no batch would notice. */
@Injectable()
export class LossWatch {
  constructor(
    private readonly checkpoint: FeedCheckpoint,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Whether the checkpoint is lost, or thrown back. Never throws. */
  async isLost(): Promise<boolean> {
    try {
      if (!(await this.checkpoint.isLost())) return false;
      this.log.warn('Redis has lost the checkpoint of the feed');
      return true;
    } catch (error) {
      warnSeldom(this.log, error, 'Redis could not be asked for the checkpoint; it is tried again');
      return false;
    }
  }
}
