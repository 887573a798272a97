import { Inject, Injectable } from '@nestjs/common';
import type { Position } from '#domain/event';
import type { Partitions } from '#event-store';
import {
  FEED_LAG_LIMIT_MS,
  FEED_LAG_WANTED_MS,
  WINDOW_AT_LEAST,
  WINDOW_AT_MOST,
  WINDOW_CUT_TO,
} from '../limits.js';
import { PARTITIONS } from '../tokens.js';
import { ProgressNotifier } from './progress-notifier.js';

/**
 * How many jobs of one app may run at once before the feed falls behind (rules/fairness 1). The feed is read in
 * the order of the log, for all apps: what one of them appends faster than it is worked on, the others wait
 * behind. So an app's jobs wait instead, where apps take turns. It is TCP's way of finding what a road bears:
 * one more for each event that is worked on in time, a third less when one is late (AIMD), once for each delay.
 */
@Injectable()
export class FeedWindow {
  readonly #least: number;
  #size = WINDOW_AT_MOST;
  #cutAtMs = -Infinity;

  constructor(
    private readonly notifier: ProgressNotifier,
    @Inject(PARTITIONS) { count }: Partitions,
  ) {
    this.#least = Math.max(1, Math.ceil(WINDOW_AT_LEAST / count));
  }

  get size(): number {
    return this.#size;
  }

  /** Something was appended that the feed is to work on: how long it takes says how far behind it is. */
  async noteAppended(position: Position): Promise<void> {
    const appendedAtMs = performance.now();
    await this.notifier.waitFor(position, FEED_LAG_LIMIT_MS);
    const nowMs = performance.now();
    this.#adjust(nowMs - appendedAtMs, nowMs);
  }

  #adjust(lagMs: number, nowMs: number): void {
    if (lagMs <= FEED_LAG_WANTED_MS) {
      this.#size = Math.min(WINDOW_AT_MOST, this.#size + 1);
      return;
    }
    // What was appended before the last cut says nothing of what came of it.
    if (nowMs - lagMs < this.#cutAtMs) return;
    this.#cutAtMs = nowMs;
    this.#size = Math.max(this.#least, Math.floor(this.#size * WINDOW_CUT_TO));
  }
}
