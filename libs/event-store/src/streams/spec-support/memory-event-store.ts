import type { Instant, Position, RecordedEvent } from '#domain/event';
import {
  type AppendResult,
  type EventStore,
  type EventToAppend,
  type ExpectedRevision,
  type ReadOptions,
  RevisionConflict,
} from '../event-store.js';
import { toPosition } from '../position.js';

/**
 * A twin of the event store for the specs of its users: streams in memory, with the rules for expected revisions and
 * repeated ids (rules/protocol 3), and payloads that went through JSON.
 */
export class MemoryEventStore implements Omit<EventStore, 'subscribe'> {
  readonly #streams = new Map<string, RecordedEvent[]>();
  readonly #truncatedBefore = new Map<string, number>();
  #position = 0n;
  /** The calls, for specs that count them: `read counter-1 from 3`, `append counter-1 at 2`. */
  readonly calls: string[] = [];
  /** Runs before each append; the append throws its error. */
  onAppend: (streamName: string, events: readonly EventToAppend[]) => Promise<void> | void = () =>
    undefined;

  async append(
    streamName: string,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
  ): Promise<AppendResult> {
    this.calls.push(`append ${streamName} at ${expected}`);
    await this.onAppend(streamName, events);
    return this.appendNow(streamName, expected, events);
  }

  /** Appends without being observed or disturbed. */
  appendNow(
    streamName: string,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
  ): AppendResult {
    const stream = this.#streams.get(streamName) ?? [];
    const head = stream.length - 1;
    const at = expected === 'any' ? head : expected === 'no_stream' ? -1 : expected;
    if (at !== head) {
      const isRepetition = events.every(({ id }, index) => stream[at + 1 + index]?.id === id);
      const last = stream[at + events.length];
      if (!isRepetition || !last) throw new RevisionConflict(streamName, head, false);
      return { revision: last.revision, position: last.position };
    }
    for (const event of events) {
      this.#position += 1n;
      const position = toPosition({ commit: this.#position, prepare: this.#position });
      const stored = structuredClone(JSON.parse(JSON.stringify(event)) as EventToAppend);
      stream.push({ ...stored, streamName, revision: stream.length, position });
    }
    this.#streams.set(streamName, stream);
    return { revision: stream.length - 1, position: stream.at(-1)?.position ?? '' };
  }

  async *readStream(streamName: string, options: ReadOptions = {}): AsyncGenerator<RecordedEvent> {
    const { fromRevision, maxCount = Infinity, backwards = false } = options;
    this.calls.push(`read ${streamName} from ${fromRevision ?? 0}`);
    await Promise.resolve();
    const cut = this.#truncatedBefore.get(streamName) ?? 0;
    const events = this.#streams.get(streamName) ?? [];
    const from = Math.max(fromRevision ?? 0, cut);
    const upTo = (fromRevision ?? events.length - 1) + 1;
    if (backwards) yield* events.slice(cut, upTo).reverse().slice(0, maxCount);
    else yield* events.slice(from, from + maxCount);
  }

  /** Events before a revision are not read any more. */
  truncate(streamName: string, beforeRevision: number): void {
    this.#truncatedBefore.set(streamName, beforeRevision);
  }

  headRevision(streamName: string): Promise<number> {
    return Promise.resolve((this.#streams.get(streamName)?.length ?? 0) - 1);
  }

  headPosition(): Promise<Position> {
    return Promise.resolve(toPosition({ commit: this.#position, prepare: this.#position }));
  }

  async hasEventAt(position: Position): Promise<boolean> {
    const events = [...this.#streams.values()].flat();
    return events.some((event) => event.position === position);
  }

  /** Events in memory were written when they happened. */
  async findTime(position: Position): Promise<Instant | undefined> {
    const events = [...this.#streams.values()].flat().sort(byPosition);
    return events.find((event) => event.position >= position)?.metadata.occurredAt;
  }

  async findTimeAfter(after: Position): Promise<Instant | undefined> {
    const events = [...this.#streams.values()].flat().sort(byPosition);
    return events.find((event) => event.position > after)?.metadata.occurredAt;
  }

  /** The events of a stream. */
  events(streamName: string): readonly RecordedEvent[] {
    return this.#streams.get(streamName) ?? [];
  }

  /** The store is exchanged for an empty one. */
  clear(): void {
    this.#streams.clear();
  }

  ping(): Promise<void> {
    return Promise.resolve();
  }

  dispose(): Promise<void> {
    return Promise.resolve();
  }
}

function byPosition(left: RecordedEvent, right: RecordedEvent): number {
  return left.position < right.position ? -1 : 1;
}
