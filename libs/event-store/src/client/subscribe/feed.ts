import { setTimeout as pause, setImmediate as nextTurn } from 'node:timers/promises';
import type { Position } from '#domain/event';
import { Fault, withTimeLimit } from '#platform';
import type { IncomingAnswers } from '../connection/index.js';
import type { Codec } from '../../streams/codec.js';
import { toFault } from '../errors.js';
import type { EventBatch, FeedItem, SubscribeOptions } from '../../streams/event-store.js';
import { CALL_IDLE_MS, GATHERING_MS } from '../../streams/limits.js';
import type { LongCalls } from '../long-calls.js';
import type { ReadAnswer } from '../read/index.js';
import type { StoredEvent } from '../../streams/stored-event.js';
import type { WantedStreams } from '../../streams/stream-names.js';
import { UndecodableEvent } from '../../streams/undecodable.js';
import { followRequest } from '../read-requests.js';

/**
 * How many events outside the filter go by before the store tells how far it has looked. Catching up
 * it may look at many at once; live it tells after every one where that was asked for, so that a
 * reader who waits for a position never waits for an unrelated event to come.
 */
const CATCHING_UP_WINDOW = 500;
const LIVE_WINDOW = 1;

/** Opens a call that follows, as `followRequest` describes it. */
export type OpenFollowing = (request: Buffer) => Promise<IncomingAnswers<ReadAnswer>>;

/** The streams to follow, by their stored names. */
export type FeedOptions = Omit<SubscribeOptions, keyof WantedStreams> & {
  readonly regex: string;
  readonly longCalls: LongCalls;
};

/**
 * See `EventStore.subscribe`. Where every position is asked for, it catches up on one subscription,
 * and goes live on a second with the smallest window.
 */
export async function* followAll(
  open: OpenFollowing,
  codec: Codec,
  options: FeedOptions,
): AsyncGenerator<EventBatch, void, undefined> {
  const liveWindow = options.tellsEveryPosition ? LIVE_WINDOW : CATCHING_UP_WINDOW;
  let { after } = options;
  let window = CATCHING_UP_WINDOW;
  let isLive = false;
  while (!options.signal.aborted) {
    const feed = new Feed(open(followRequest(after, options.regex, window)), options);
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

/** One subscription, read by pulling. Its answers are taken in the order in which the store gave them. */
class Feed {
  readonly #signal: AbortSignal;
  readonly #batchSize: number;
  readonly #endCall: () => void;
  #answers: IncomingAnswers<ReadAnswer> | undefined;
  /** The events that have come and are in no batch yet, from `#next` on. */
  #come: readonly ReadAnswer[] = [];
  #next = 0;
  #isCaughtUp = false;
  #error: Fault | undefined;
  #isClosed = false;
  #wake: () => void = () => undefined;

  constructor(opening: Promise<IncomingAnswers<ReadAnswer>>, options: FeedOptions) {
    this.#signal = options.signal;
    this.#batchSize = options.batchSize;
    this.#endCall = options.longCalls.begin();
    this.#signal.addEventListener('abort', this.#onAbort);
    opening.then(
      (answers) => this.#begin(answers),
      (error: unknown) => this.#fail(error),
    );
  }

  /** A subscription's first answer says that it has begun. */
  async confirmed(): Promise<void> {
    const confirmation = async () => {
      while (this.#peek() === undefined && (await this.waitForMore()));
    };
    await withTimeLimit(confirmation(), CALL_IDLE_MS, 'the event store, asked to subscribe,');
  }

  /** The events that are there, up to a batch; undefined when there is nothing new at all. Never waits. */
  take(codec: Codec): EventBatch | undefined {
    const events: FeedItem[] = [];
    let upTo: Position | undefined;
    for (;;) {
      const answer = this.#peek();
      const isFull = answer?.kind === 'event' && events.length >= this.#batchSize;
      if (answer === undefined || isFull) break;
      this.#next += 1;
      if (answer.kind === 'event') {
        const item = decode(codec, answer.event);
        events.push(item);
        upTo = item.position;
      } else if (answer.kind === 'position') upTo = answer.position;
      else if (answer.kind === 'caught-up') this.#isCaughtUp = true;
    }
    return upTo === undefined ? undefined : { events, upTo };
  }

  /** To be asked when there is nothing to take: the events before the announcement are handled then. */
  isCaughtUp(): boolean {
    return this.#isCaughtUp;
  }

  /** Resolves with true when there may be more to take, with false when the signal is aborted. */
  async waitForMore(): Promise<boolean> {
    if (this.#signal.aborted) return false;
    if (this.#peek() === undefined && this.#error === undefined) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    await this.#gather();
    if (this.#isAborted()) return false;
    if (this.#peek() === undefined && this.#error !== undefined) throw this.#error;
    return true;
  }

  close(): void {
    this.#isClosed = true;
    this.#endCall();
    this.#signal.removeEventListener('abort', this.#onAbort);
    if (this.#answers) leave(this.#answers);
  }

  readonly #onAbort = () => this.#wake();

  #begin(answers: IncomingAnswers<ReadAnswer>): void {
    this.#answers = answers;
    if (this.#isClosed) {
      leave(answers);
      return;
    }
    answers.onChange = () => this.#look();
    this.#look();
  }

  #look(): void {
    const { error, hasEnded } = this.#answers ?? {};
    if (error !== undefined) this.#fail(error);
    else if (hasEnded) this.#fail(new Fault('unavailable', 'the store ended it', RETRYABLE));
    this.#wake();
  }

  #fail(error: unknown): void {
    this.#error ??= toFault(error, 'the subscription failed');
    this.#wake();
  }

  #peek(): ReadAnswer | undefined {
    if (this.#next >= this.#come.length) {
      this.#come = this.#answers?.take() ?? [];
      this.#next = 0;
    }
    return this.#come[this.#next];
  }

  /**
   * Lets more join the batch: live, the events that arrived together, which takes one turn of the event loop; before
   * that, those that the store is sending meanwhile, since a reader that has much to catch up on is better off with few
   * batches.
   */
  async #gather(): Promise<void> {
    const isMoreComing = !this.#isCaughtUp && this.#peek()?.kind === 'event';
    if (isMoreComing) await pause(GATHERING_MS);
    else await nextTurn();
  }

  #isAborted(): boolean {
    return this.#signal.aborted;
  }
}

const RETRYABLE = { retryable: true };

function leave(answers: IncomingAnswers<ReadAnswer>): void {
  answers.onChange = () => undefined;
  answers.leave(true);
}

function decode(codec: Codec, event: StoredEvent): FeedItem {
  try {
    return codec.decode(event);
  } catch (error) {
    if (error instanceof UndecodableEvent) return error.item;
    throw error;
  }
}
