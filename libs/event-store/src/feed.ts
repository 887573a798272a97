import { setTimeout as pause, setImmediate as nextTurn } from 'node:timers/promises';
import {
  type AllStreamResolvedEvent,
  type AllStreamSubscription,
  type EventStoreDBClient,
  START as FROM_START,
  streamNameFilter,
} from '@eventstore/db-client';
import type { Position, RecordedEvent } from '#domain/event';
import { Fault, withTimeLimit } from '#platform';
import type { Codec } from './codec.js';
import { toFault } from './errors.js';
import type { EventBatch, FeedItem, SubscribeOptions } from './event-store.js';
import { CONFIRMATION_MS, GATHERING_MS } from './limits.js';
import type { LongCalls } from './long-calls.js';
import { START, toLogPosition, toPosition } from './position.js';
import type { WantedStreams } from './stream-names.js';
import { UndecodableEvent } from './undecodable.js';

/**
 * How many events outside the filter go by before the store tells how far it has looked. Catching up
 * it may look at many at once; live it tells after every one where that was asked for, so that a
 * reader who waits for a position never waits for an unrelated event to come.
 */
const CATCHING_UP_WINDOW = 500;
const LIVE_WINDOW = 1;

/** What to follow, by the stored names of its streams. */
export type FeedOptions = Omit<SubscribeOptions, keyof WantedStreams> & {
  readonly regex: string;
  readonly longCalls: LongCalls;
};

/**
 * See `EventStore.subscribe`. Where every position is asked for, it catches up on one subscription,
 * and goes live on a second with the smallest window.
 */
export async function* followAll(
  client: EventStoreDBClient,
  codec: Codec,
  options: FeedOptions,
): AsyncGenerator<EventBatch, void, undefined> {
  const liveWindow = options.tellsEveryPosition ? LIVE_WINDOW : CATCHING_UP_WINDOW;
  let { after } = options;
  let window = CATCHING_UP_WINDOW;
  let isLive = false;
  while (!options.signal.aborted) {
    const feed = new Feed(client, options, after, window);
    try {
      await feed.confirmed();
      while (!isLive || window === liveWindow) {
        const batch = feed.take(codec);
        if (batch !== undefined) {
          after = batch.upTo;
          yield batch;
        } else if (!isLive && feed.isCaughtUp()) {
          isLive = true;
          options.onCaughtUp?.();
        } else if (!(await feed.waitForMore())) return;
      }
    } finally {
      feed.close();
    }
    window = liveWindow;
  }
}

/**
 * One subscription of the client, read by pulling. The client announces checkpoints (and having
 * caught up) before the events in its buffer are handled: each is kept with the number of
 * events that go before it, and is believed when those have been taken.
 */
class Feed {
  readonly #subscription: AllStreamSubscription;
  readonly #signal: AbortSignal;
  readonly #batchSize: number;
  readonly #endCall: () => void;
  #taken = 0;
  #checkpoint: { position: Position; afterCount: number } | undefined;
  #isCaughtUp = false;
  #error: Fault | undefined;
  #isConfirmed = false;
  #wake: () => void = () => undefined;

  constructor(client: EventStoreDBClient, options: FeedOptions, after: Position, window: number) {
    this.#signal = options.signal;
    this.#batchSize = options.batchSize;
    this.#endCall = options.longCalls.begin();
    const filter = streamNameFilter({
      regex: options.regex,
      maxSearchWindow: window,
      checkpointInterval: 1,
      checkpointReached: (_, position) => this.#keepCheckpoint(toPosition(position)),
    });
    this.#subscription = client.subscribeToAll(
      { fromPosition: after === START ? FROM_START : toLogPosition(after), filter },
      { highWaterMark: options.batchSize },
    );
    this.#listen();
  }

  async confirmed(): Promise<void> {
    const confirmation = async () => {
      while (!this.#isConfirmed && (await this.waitForMore()));
    };
    await withTimeLimit(confirmation(), CONFIRMATION_MS, 'the event store, asked to subscribe,');
  }

  /** What is there, up to a batch; undefined when there is nothing new at all. Never waits. */
  take(codec: Codec): EventBatch | undefined {
    const events: FeedItem[] = [];
    let upTo: Position | undefined;
    while (events.length < this.#batchSize) {
      // The stream is in object mode, and these are the objects that it holds.
      const resolved = this.#subscription.read() as AllStreamResolvedEvent | null;
      if (resolved === null) break;
      this.#taken += 1;
      const item = decode(codec, resolved);
      if (item !== undefined) {
        events.push(item);
        upTo = item.position;
      }
    }
    if (this.#checkpoint !== undefined && this.#checkpoint.afterCount <= this.#taken) {
      // Events that came after the checkpoint may be in this same batch.
      if (upTo === undefined || upTo < this.#checkpoint.position) upTo = this.#checkpoint.position;
      this.#checkpoint = undefined;
    }
    return upTo === undefined ? undefined : { events, upTo };
  }

  /** To be asked when there is nothing to take: what came before the announcement is handled then. */
  isCaughtUp(): boolean {
    return this.#isCaughtUp;
  }

  /** Resolves with true when there may be more to take, with false when the signal is aborted. */
  async waitForMore(): Promise<boolean> {
    if (this.#signal.aborted) return false;
    if (this.#error === undefined) await new Promise<void>((resolve) => (this.#wake = resolve));
    await this.#gather();
    if (this.#isAborted()) return false;
    if (this.#error !== undefined) throw this.#error;
    return true;
  }

  /**
   * Lets more join the batch: live, what arrived together, which takes one turn of the event loop; before that,
   * what the store is sending meanwhile, since a reader that has much to catch up on is better off with few batches.
   */
  async #gather(): Promise<void> {
    const isMoreComing = !this.#isCaughtUp && this.#subscription.readableLength > 0;
    if (isMoreComing) await pause(GATHERING_MS);
    else await nextTurn();
  }

  close(): void {
    this.#endCall();
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.#subscription.unsubscribe().catch(() => undefined);
    // Destroyed, it would leave unread what is under way, and the call below would never end.
    this.#subscription.removeAllListeners('readable').resume();
  }

  readonly #onAbort = () => this.#wake();

  #listen(): void {
    const fail = (error: unknown) => {
      this.#error ??= toFault(error, 'the subscription failed');
      this.#wake();
    };
    this.#signal.addEventListener('abort', this.#onAbort);
    this.#subscription
      .on('readable', () => this.#wake())
      .on('confirmation', () => {
        this.#isConfirmed = true;
        this.#wake();
      })
      .on('error', fail)
      .on('end', () => fail(new Fault('unavailable', 'the store ended it', { retryable: true })));
    this.#subscription.on('caughtUp', () => {
      this.#isCaughtUp = true;
      this.#wake();
    });
  }

  #keepCheckpoint(position: Position): void {
    this.#checkpoint = { position, afterCount: this.#delivered() };
    this.#wake();
  }

  /** Events that have come so far: those taken and those in the buffer. */
  #delivered(): number {
    return this.#taken + this.#subscription.readableLength;
  }

  #isAborted(): boolean {
    return this.#signal.aborted;
  }
}

function decode(codec: Codec, resolved: AllStreamResolvedEvent): FeedItem | undefined {
  if (resolved.event === undefined) return undefined;
  try {
    const event: RecordedEvent = codec.decode(resolved.event, resolved.event.position);
    return event;
  } catch (error) {
    if (error instanceof UndecodableEvent) return error.item;
    throw error;
  }
}
