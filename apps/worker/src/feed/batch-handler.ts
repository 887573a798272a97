import { Inject, Injectable } from '@nestjs/common';
import type { Position, RecordedEvent } from '#domain/event';
import type { FeedItem } from '#event-store';
import { wallClock } from '#platform';
import type { AppDirectory } from '#tenancy';
import { DIRECTORY_LIMIT_MS, IDLE_CHECKPOINT_EVERY_MS } from '../limits.js';
import { reactorLag } from '../metrics.js';
import { APPS } from '../tokens.js';
import { EventDispatcher } from './event-dispatcher.js';
import { FeedCheckpoint } from './feed-checkpoint.js';
import { ProgressNotifier } from './progress-notifier.js';

/**
 * A batch of the feed: first the work, then the checkpoint, then those who wait for it. The checkpoint
 * moves when what follows from the events is durable: jobs are in Redis, commands are events.
 */
@Injectable()
export class BatchHandler {
  #lastEventAt: Position = '';
  #checkpointedAtMs = 0;

  constructor(
    private readonly dispatcher: EventDispatcher,
    private readonly checkpoint: FeedCheckpoint,
    private readonly notifier: ProgressNotifier,
    @Inject(APPS) private readonly apps: Pick<AppDirectory, 'waitFor'>,
  ) {}

  /** The last event that was worked on. A checkpoint is worth backing up only when there is a new one. */
  get lastEventAt(): Position {
    return this.#lastEventAt;
  }

  get categories(): string[] {
    return this.dispatcher.categories;
  }

  /** Everything up to here is processed. At the end of the store no batch follows that would report it. */
  resumeAt(position: Position): void {
    this.notifier.processed([], position);
  }

  /** @throws Fault: the batch is then given again. */
  async handle(items: readonly FeedItem[], upTo: Position): Promise<void> {
    const events = await this.dispatcher.admit(items);
    if (events.length > 0) {
      // An endpoint or an app that is older than an event must be known when the event is worked on.
      await this.apps.waitFor(upTo, DIRECTORY_LIMIT_MS);
      await this.dispatcher.dispatch(events);
    }
    const nowMs = Date.now();
    if (items.length > 0 || nowMs - this.#checkpointedAtMs > IDLE_CHECKPOINT_EVERY_MS) {
      await this.checkpoint.advance(upTo);
      this.#checkpointedAtMs = nowMs;
    }
    this.#lastEventAt = items.at(-1)?.position ?? this.#lastEventAt;
    this.notifier.processed(events, upTo);
    reactorLag.set(lagSeconds(events));
  }
}

/** In an app with a test clock an event may lie in the future; that is no lag. */
function lagSeconds(events: readonly RecordedEvent[]): number {
  const last = events.at(-1);
  if (last === undefined) return 0;
  const lagMs = Date.parse(wallClock.now()) - Date.parse(last.metadata.occurredAt);
  return Math.max(0, lagMs / 1000);
}
