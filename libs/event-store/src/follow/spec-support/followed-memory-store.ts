import type { RecordedEvent } from '#domain/event';
import type {
  AppendResult,
  EventBatch,
  EventStore,
  EventToAppend,
  FeedItem,
} from '../../streams/event-store.js';
import { START } from '../../streams/position.js';
import { MemoryEventStore } from '../../streams/spec-support/memory-event-store.js';

/**
 * The memory twin with a feed that goes on when the spec says so, and with readings that take the present events and
 * can be held back: the two roads by which an event reaches a followed stream.
 */
export class FollowedMemoryStore extends MemoryEventStore implements EventStore {
  /** The positions at which the subscriptions began. */
  readonly subscribedAfter: string[] = [];
  /** The error of reading. */
  fault: Error | undefined;
  /** Whether readings are held back until `release`. */
  holdsReadings = false;
  /** Whether the feed will bring events appended in any way, and not those `add`ed alone. */
  publishesAppends = false;
  readonly #log: FeedItem[] = [];
  readonly #held: (() => void)[] = [];
  #delivered = 0;
  #wake: () => void = () => undefined;
  #breaks = false;

  override appendNow(...append: Parameters<MemoryEventStore['appendNow']>): AppendResult {
    const [streamName] = append;
    const before = this.events(streamName).length;
    const result = super.appendNow(...append);
    if (this.publishesAppends) this.#log.push(...this.events(streamName).slice(before));
    return result;
  }

  /** Appends one event that the feed will bring. */
  add(streamName: string, event: EventToAppend): FeedItem {
    this.appendNow(streamName, 'any', [event]);
    const added = this.events(streamName).at(-1);
    if (added === undefined) throw new Error(`${streamName} is empty`);
    return this.publish(added);
  }

  /** The next event of the feed. */
  publish(item: FeedItem): FeedItem {
    this.#log.push(item);
    return item;
  }

  /** Delivers so many more events; all of them by default. */
  deliver(count = Infinity): void {
    this.#delivered = Math.min(this.#log.length, this.#delivered + count);
    this.#wake();
  }

  /** Ends the subscription with an error, as a connection that breaks does. */
  breakOff(): void {
    this.#breaks = true;
    this.#wake();
  }

  /** Lets one reading go on that was held back; false where there is none. */
  release(which: 'first' | 'last' = 'first'): boolean {
    const held = which === 'first' ? this.#held.shift() : this.#held.pop();
    held?.();
    return held !== undefined;
  }

  async *subscribe({ after, onCaughtUp, signal }: Parameters<EventStore['subscribe']>[0]) {
    this.subscribedAfter.push(after);
    let at = after === START ? 0 : this.#log.findIndex(({ position }) => position > after);
    if (at === -1) at = this.#log.length;
    onCaughtUp?.();
    signal.addEventListener('abort', () => this.#wake());
    while (!signal.aborted) {
      if (this.#breaks) {
        this.#breaks = false;
        throw new Error('the connection broke');
      }
      const events = this.#log.slice(at, this.#delivered);
      at += events.length;
      const upTo = events.at(-1)?.position;
      if (upTo !== undefined) yield { events, upTo } satisfies EventBatch;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  override async *readStream(
    ...args: Parameters<MemoryEventStore['readStream']>
  ): AsyncGenerator<RecordedEvent> {
    const events: RecordedEvent[] = [];
    for await (const event of super.readStream(...args)) events.push(event);
    if (this.holdsReadings) await new Promise<void>((resolve) => this.#held.push(resolve));
    if (this.fault !== undefined) throw this.fault;
    yield* events;
  }
}

/** Lets all go on that waits for no reading that is held back. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
