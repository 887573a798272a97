import { once } from 'node:events';
import { Inject, Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { categoryOf, type Position } from '#domain/event';
import type { FeedItem } from '#event-store';
import { sleepUntilTick, wallClock } from '#platform';
import type { Lease } from '#projection-engine';
import { reactorLag } from '../metrics.js';
import { IDLE_CHECKPOINT_EVERY_MS, TICK_MS } from '../limits.js';
import { LEASE } from '../tokens.js';
import { FeedCheckpoint } from '../redis/feed-checkpoint.js';
import { EventDispatcher } from './event-dispatcher.js';
import { ParkedRetry } from './parked-retry.js';
import { ProgressNotifier } from './progress-notifier.js';
import { Recovery } from './recovery.js';

/**
 * The feed as one partition sees it: its own events alone, and a checkpoint of its own. First the work, then the
 * checkpoint, then those who wait for it. The checkpoint moves when the consequences of the events are durable: commands
 * are events, deliveries are in Redis, and charges and refunds are noted there as in flight.
 */
@Injectable()
export class PartitionFeed {
  /** One act at a time: events that come while a parked stream is tried again would be held back. */
  readonly #oneAtATime = pLimit(1);
  readonly #resumed = new AbortController();
  #checkpointedAtMs = 0;
  /** Up to here events were given since it resumed; empty before any. */
  #upTo: Position = '';

  constructor(
    @Inject(LEASE) private readonly lease: Lease,
    private readonly recovery: Recovery,
    private readonly dispatcher: EventDispatcher,
    private readonly checkpoint: FeedCheckpoint,
    private readonly notifier: ProgressNotifier,
    private readonly parked: ParkedRetry,
  ) {}

  get partition(): number {
    return this.lease.partition;
  }

  /** Everything up to here is worked on. */
  get position(): Position {
    return this.checkpoint.position;
  }

  /** The categories of the streams whose events are wanted. */
  get categories(): string[] {
    return this.dispatcher.categories;
  }

  /**
   * Finds the position to go on after. @returns the position to go on after. @throws Fault of the store or of Redis.
   */
  async resume(): Promise<Position> {
    return this.#oneAtATime(async () => {
      // Redis may stand before it now.
      this.#upTo = '';
      const position = await this.recovery.resume();
      await this.parked.retrySome(position);
      // At the end of the store no batch follows that would report it.
      this.notifier.processed([], position);
      this.#resumed.abort();
      return position;
    });
  }

  /**
   * Resolves with true when the feed has found where to go on for the first time: before that nothing is
   * known of Redis, not even whether it has lost something. With false when the signal is aborted.
   */
  async untilResumed(signal: AbortSignal): Promise<boolean> {
    const either = AbortSignal.any([this.#resumed.signal, signal]);
    if (!either.aborted) await once(either, 'abort');
    return !signal.aborted;
  }

  /** Tries parked streams again when it is time to. Runs until the signal is aborted; never throws. */
  async retryParked(signal: AbortSignal): Promise<void> {
    while (await sleepUntilTick(TICK_MS, signal)) {
      if (!this.parked.isDue(Date.now())) continue;
      await this.#oneAtATime(() => this.parked.retrySome(this.checkpoint.position));
    }
  }

  /** An operator wants all that is parked tried again. */
  requestRetry(): void {
    this.parked.askForAll();
  }

  /**
   * Works on events of this partition. The subscription is that of all partitions of the process, and may
   * have begun before the place at which this one stands.
   *
   * @throws Fault: the batch is then given again.
   */
  async handle(items: readonly FeedItem[], upTo: Position): Promise<void> {
    await this.#oneAtATime(() => this.#handle(items, upTo));
  }

  /** Does something while no events are worked on, and so while the checkpoint stands still. */
  async exclusively<Result>(act: () => Promise<Result>): Promise<Result> {
    return this.#oneAtATime(act);
  }

  async #handle(items: readonly FeedItem[], upTo: Position): Promise<void> {
    const { position: known } = this.checkpoint;
    if (upTo <= known) return;
    const categories = new Set(this.categories);
    const fresh = items.filter(
      ({ position, streamName }) => position > known && categories.has(categoryOf(streamName)),
    );
    await this.#work(fresh, upTo);
    reactorLag.set({ partition: this.partition }, lagSeconds(fresh));
  }

  async #work(items: readonly FeedItem[], upTo: Position): Promise<void> {
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

  /**
   * Notes how far all is that was given, also where nothing of it was ours, when no more events come: the last backup
   * says so then. @throws Fault of Redis; Fenced.
   */
  async settle(): Promise<void> {
    if (this.#upTo !== '') await this.checkpoint.advance(this.#upTo);
  }

  /** Whether Redis has lost how far the partition was. @throws Fault of Redis. */
  async isLost(): Promise<boolean> {
    return this.checkpoint.isLost();
  }
}

/** In an app with a test clock an event may lie in the future; that is no lag. */
function lagSeconds(items: readonly FeedItem[]): number {
  const last = items.at(-1);
  if (last === undefined || 'undecodable' in last) return 0;
  const lagMs = Date.parse(wallClock.now()) - Date.parse(last.metadata.occurredAt);
  return Math.max(0, lagMs / 1000);
}
