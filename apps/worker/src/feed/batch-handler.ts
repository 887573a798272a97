import { Injectable } from '@nestjs/common';
import type { Position } from '#domain/event';
import type { FeedItem } from '#event-store';
import { IDLE_CHECKPOINT_EVERY_MS } from '../limits.js';
import { EventDispatcher } from './event-dispatcher.js';
import { FeedCheckpoint } from '../redis/feed-checkpoint.js';
import { ProgressNotifier } from './progress-notifier.js';

/**
 * A batch of the feed: first the work, then the checkpoint, then those who wait for it. The checkpoint moves when the
 * consequences of the events are durable: commands are events, deliveries are in Redis, and charges and refunds are
 * noted there as in flight.
 */
@Injectable()
export class BatchHandler {
  #checkpointedAtMs = 0;
  #upTo: Position = '';

  constructor(
    private readonly dispatcher: EventDispatcher,
    private readonly checkpoint: FeedCheckpoint,
    private readonly notifier: ProgressNotifier,
  ) {}

  get categories(): string[] {
    return this.dispatcher.categories;
  }

  /** Everything up to here is processed. At the end of the store no batch follows that would report it. */
  resumeAt(position: Position): void {
    this.notifier.processed([], position);
  }

  /**
   * Notes how far all is that was given, also where nothing of it was ours: the last backup says so then.
   *
   * @throws Fault of Redis; Fenced.
   */
  async settle(): Promise<void> {
    if (this.#upTo !== '') await this.checkpoint.advance(this.#upTo);
  }

  /** @throws Fault: the batch is then given again. */
  async handle(items: readonly FeedItem[], upTo: Position): Promise<void> {
    const events = await this.dispatcher.admit(items);
    if (events.length > 0) await this.dispatcher.dispatch(events);
    this.#upTo = upTo;
    const nowMs = Date.now();
    if (items.length > 0 || nowMs - this.#checkpointedAtMs > IDLE_CHECKPOINT_EVERY_MS) {
      await this.checkpoint.advance(upTo, items.at(-1)?.position);
      this.#checkpointedAtMs = nowMs;
    }
    this.notifier.processed(events, upTo);
  }
}
