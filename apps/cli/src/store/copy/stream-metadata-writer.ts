import { TooLargeToAppend, RevisionConflict, type VerbatimEvent } from '#event-store';
import { CliError } from '../../cli-error.js';
import { EVENTS_BEHIND_RECORD } from './limits.js';
import type { CopiedStores } from './copy-windows.js';

/** A `$tb` from here on deletes the stream; no number holds it exactly. */
const DELETED_FROM = 2 ** 53;

/**
 * Writes metadata of streams: their limits, and their deletion. A store keeps the last ones of a stream and
 * adds some by itself, where a deleted stream begins again, so that the last ones count, and not how many came before.
 */
export class StreamMetadataWriter {
  /** @param shifts by how much the revisions of streams are less in the target, as far as that is known. */
  constructor(
    private readonly stores: CopiedStores,
    private readonly shifts: ReadonlyMap<string, number>,
  ) {}

  /** @throws CliError where the target takes nothing as large; Fault of the stores. */
  async write(event: VerbatimEvent): Promise<void> {
    const { streamName, revision } = event;
    const metadata = await this.#translate(event);
    const { verbatim } = this.stores.target;
    try {
      await verbatim.append(streamName, revision === 0 ? 'no_stream' : revision - 1, [metadata]);
    } catch (error) {
      if (error instanceof TooLargeToAppend) throw eventTooLarge(event);
      if (!(error instanceof RevisionConflict)) throw error;
      const [last] = await verbatim.readStream(streamName, { backwards: true, maxCount: 1 });
      const head = last?.revision ?? -1;
      const isThere = last?.id === event.id || (last && isSameData(last, metadata));
      if (isThere === true || head >= revision) return;
      await verbatim.append(streamName, head === -1 ? 'no_stream' : head, [metadata]);
    }
  }

  /** `$tb` names a revision: it is less in the target where the stream's first events were gone. */
  async #translate(event: VerbatimEvent): Promise<VerbatimEvent> {
    const metadata = readMetadata(event);
    const before = metadata?.['$tb'];
    if (typeof before !== 'number' || before <= 0 || before >= DELETED_FROM) return event;
    const shift = await this.#findShift(event.streamName.slice(2));
    if (shift === 0) return event;
    const { $tb: _, ...others } = metadata ?? {};
    const left = before > shift ? { ...others, $tb: before - shift } : others;
    return { ...event, data: Buffer.from(JSON.stringify(left)) };
  }

  /** Where the target's last event is read no more in the source, its revision is taken for the same. */
  async #findShift(streamName: string): Promise<number> {
    const known = this.shifts.get(streamName);
    if (known !== undefined) return known;
    const { source, target } = this.stores;
    const [last] = await target.verbatim.readStream(streamName, { backwards: true, maxCount: 1 });
    const from = { fromRevision: last?.revision ?? 0, maxCount: EVENTS_BEHIND_RECORD };
    const events = await source.verbatim.readStream(streamName, from);
    if (last === undefined) return events[0]?.revision ?? 0;
    const same = events.find(({ id }) => id === last.id);
    return same === undefined ? 0 : same.revision - last.revision;
  }
}

/** Undefined for data that no store takes for metadata. */
export function readMetadata({ data }: VerbatimEvent): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(data).toString('utf8'));
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
    return isObject ? (parsed as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function isSameData(left: VerbatimEvent, right: VerbatimEvent): boolean {
  return Buffer.compare(left.data, right.data) === 0;
}

/** Of an event that the target takes in no append, not even alone. */
export function eventTooLarge({ streamName, revision, data, metadata }: VerbatimEvent): CliError {
  const bytes = data.length + metadata.length;
  return new CliError(
    `The target takes no event as large as revision ${revision} of ${streamName} (${bytes} bytes): nothing was ` +
      'switched. Raise the limits of the target (MaxAppendSize; MaxAppendEventSize of KurrentDB), and begin ' +
      'again: the copy goes on there.',
  );
}
