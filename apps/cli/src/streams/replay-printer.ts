import { findCauses, findChanges } from '#causes';
import type { RecordedEvent } from '#domain/event';
import type { EventStore } from '#event-store';
import { CliError } from '../cli-error.js';
import { type AsOf, isWithin } from './as-of.js';
import type { DocumentComparison } from './document-comparison.js';
import type { Replayable } from './replayable.js';
import { describeDocument, printEvent, printState, printVerdict } from './replay-text.js';
import { sayInstant } from './state-words.js';
import { type ReplayedEvent, replayStream } from './stream-replay.js';

export interface Replay {
  readonly streamName: string;
  readonly aggregate: Replayable;
  readonly asOf: AsOf | undefined;
  /** Of the documents of the stream, one for each read model that has one. */
  readonly comparisons: readonly DocumentComparison[];
}

type Store = Pick<EventStore, 'readStream'>;

/** Prints the replay of a stream as it goes, for people as text, for programs as JSON, one object a line. */
export class ReplayPrinter {
  constructor(
    private readonly store: Store,
    private readonly replay: Replay,
    private readonly isJson: boolean,
  ) {}

  /** @throws CliError where no event is within the bound; Fault of the store. */
  async print(): Promise<void> {
    const { streamName, aggregate, asOf, comparisons } = this.replay;
    let last: ReplayedEvent | undefined;
    for await (const replayed of replayStream(this.store, streamName, aggregate)) {
      const { event } = replayed;
      const isShown = isWithin(asOf, event);
      if (!isShown && last === undefined) throw beginsLater(event);
      // The read models may be further than the replay: each is compared where it is.
      if (!isShown && !comparisons.some(({ isOpen }) => isOpen)) break;
      for (const comparison of comparisons) comparison.add(event);
      if (!isShown) continue;
      if (last === undefined) this.#printCut(event);
      await this.#printEvent(replayed);
      last = replayed;
    }
    if (last !== undefined) this.#printEnd(last);
  }

  async #printEvent({ event, before, after }: ReplayedEvent): Promise<void> {
    const changes = findChanges(before, after);
    const way = await findCauses(this.store, event, after);
    if (!this.isJson) {
      console.log(`${printEvent(event, changes, way)}\n`);
      return;
    }
    const { revision, type, metadata } = event;
    const { occurredAt, actor, commandId = null, $correlationId: correlationId } = metadata;
    const { causes, lostAt = null } = way;
    const head = { revision, type, occurredAt, actor, commandId, correlationId };
    console.log(JSON.stringify({ ...head, causes, lostCause: lostAt, changes, state: after }));
  }

  /** The events of erased players, for example, are cut off. */
  #printCut({ revision }: RecordedEvent): void {
    if (revision === 0 || this.isJson) return;
    console.log(`The events before revision ${revision} were cut off: the state begins there.\n`);
  }

  #printEnd({ event, after }: ReplayedEvent): void {
    const { comparisons } = this.replay;
    if (this.isJson) {
      console.log(JSON.stringify({ readModels: comparisons.map(describeDocument) }));
      return;
    }
    console.log(printState(after, event.revision, comparisons[0]));
    const none = 'No read model has documents of such streams.';
    console.log(`\n${comparisons.map(printVerdict).join('\n') || none}`);
  }
}

function beginsLater({ streamName, metadata: { occurredAt } }: RecordedEvent): CliError {
  return new CliError(
    `${streamName} begins at ${sayInstant(occurredAt)}: there is no event up to the instant of --as-of.`,
  );
}
