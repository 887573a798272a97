import {
  TooLargeToAppend,
  isAboutStream,
  RevisionConflict,
  STREAM_ENDED,
  type VerbatimEvent,
} from '#event-store';
import { Fault } from '#platform';
import { CliError } from '../../cli-error.js';
import { EVENTS_BEHIND_RECORD, SHIFTS_REMEMBERED } from './limits.js';
import type { CopiedStores } from './copy-windows.js';
import { eventTooLarge, StreamMetadataWriter } from './stream-metadata-writer.js';

/**
 * Writes events of one stream behind those in the target, each once. Where the first events of a stream were truncated
 * and are gone, the rest begins at revision 0 in the target: from then on its revisions are less by as many (decision
 * 0014).
 */
export class StreamWriter {
  /** By how much a stream's revisions are less in the target. */
  readonly #shifts = new Map<string, number>();
  readonly #metadata: StreamMetadataWriter;

  /**
   * @param isResuming whether events may be in the target already, since they stood behind the last record.
   *   Of others the target has exactly those before, so that none is taken for another one.
   */
  constructor(
    private readonly stores: CopiedStores,
    private readonly isResuming: () => boolean,
  ) {
    this.#metadata = new StreamMetadataWriter(stores, this.#shifts);
  }

  /**
   * @param events of one stream, or of the metadata of one, one after another.
   * @throws CliError where the target has events that the source has not; Fault.
   */
  async write(streamName: string, events: readonly VerbatimEvent[]): Promise<void> {
    const isMetadata = isAboutStream(streamName);
    try {
      if (events[0]?.type === STREAM_ENDED) await this.stores.target.verbatim.tombstone(streamName);
      else if (!isMetadata) await this.#append(streamName, events);
      else for (const event of events) await this.#metadata.write(event);
    } catch (error) {
      // Events of a stream that has ended are read no more.
      const isRefused = error instanceof Fault && error.code === 'refused';
      const ended = isMetadata ? streamName.slice(2) : streamName;
      if (!isRefused || !(await this.stores.source.verbatim.isTombstoned(ended))) throw error;
    }
  }

  async #append(streamName: string, events: readonly VerbatimEvent[]): Promise<void> {
    const shift = this.#shifts.get(streamName);
    const isUnknown = shift === undefined && this.isResuming();
    if (isUnknown || !(await this.#hasAppended(streamName, events, shift ?? 0))) {
      await this.#place(streamName, events);
    }
  }

  /** Looks for the end of the target's stream, and appends the missing events. */
  async #place(streamName: string, events: readonly VerbatimEvent[]): Promise<void> {
    const read = { backwards: true, maxCount: EVENTS_BEHIND_RECORD };
    const tail = await this.stores.target.verbatim.readStream(streamName, read);
    const revisions = new Map(tail.map(({ id, revision }) => [id, revision]));
    const lastThere = events.findLastIndex(({ id }) => revisions.has(id));
    const there = events[lastThere];
    const missing = events.slice(lastThere + 1);
    if (tail.length === 0 && (await this.#hasAppendedEach(streamName, events))) return;
    const shift =
      there === undefined
        ? await this.#findShift(streamName, events[0]?.revision ?? 0, tail[0])
        : there.revision - (revisions.get(there.id) ?? 0);
    this.#remember(streamName, shift);
    if (missing.length === 0 || (await this.#hasAppended(streamName, missing, shift))) return;
    throw foreignEvents(streamName);
  }

  /**
   * At the source's revisions, where the target shows no events: there are none, or the stream is deleted, and
   * some are there already. One by one then, since a store takes a repetition of some with others for a conflict.
   */
  async #hasAppendedEach(streamName: string, events: readonly VerbatimEvent[]): Promise<boolean> {
    if (await this.#hasAppended(streamName, events, 0)) return true;
    for (const event of events) {
      if (!(await this.#hasAppended(streamName, [event], 0))) return false;
    }
    return true;
  }

  /** The number by which the revision of the next event is less in the target, whose last event is `head`. */
  async #findShift(
    streamName: string,
    next: number,
    head: VerbatimEvent | undefined,
  ): Promise<number> {
    if (next > 0) {
      const read = { fromRevision: next - 1, maxCount: 1 };
      const [before] = await this.stores.source.verbatim.readStream(streamName, read);
      const isLeft = before?.revision === next - 1;
      if (isLeft && before.id !== head?.id) throw foreignEvents(streamName);
    }
    return next - 1 - (head?.revision ?? -1);
  }

  /** Divided where the target takes less at once. False where the stream is at another revision. @throws CliError. */
  async #hasAppended(
    streamName: string,
    events: readonly VerbatimEvent[],
    shift: number,
  ): Promise<boolean> {
    const revision = (events[0]?.revision ?? 0) - shift;
    const expected = revision === 0 ? 'no_stream' : revision - 1;
    try {
      await this.stores.target.verbatim.append(streamName, expected, events);
      return true;
    } catch (error) {
      if (error instanceof RevisionConflict) return false;
      if (!(error instanceof TooLargeToAppend)) throw error;
      const [only, ...others] = events;
      if (only !== undefined && others.length === 0) throw eventTooLarge(only);
      const half = Math.ceil(events.length / 2);
      const isBegun = await this.#hasAppended(streamName, events.slice(0, half), shift);
      return isBegun && this.#hasAppended(streamName, events.slice(half), shift);
    }
  }

  #remember(streamName: string, shift: number): void {
    // A forgotten shift is looked up again, so that any can go.
    if (this.#shifts.size >= SHIFTS_REMEMBERED) this.#shifts.clear();
    this.#shifts.set(streamName, shift);
  }
}

function foreignEvents(streamName: string): CliError {
  return new CliError(
    `The target's stream ${streamName} has other events than the source's: a program has written ` +
      'into the target, or it holds something else. Empty the target, and begin again.',
  );
}
