import type { Position } from '#domain/event';
import { assertDefect, Fault, newUuid, retry } from '#platform';
import { RevisionConflict } from './event-store.js';
import { CONFLICT_BASE_MS, CONFLICT_CAP_MS, CONFLICTS } from './limits.js';
import type { StoredNames } from './stream-names.js';
import type { VerbatimEvent } from './verbatim/verbatim-event.js';
import type { VerbatimStreams } from './verbatim/verbatim-streams.js';

/** From where on a stream can still be read. */
export interface Truncation {
  /** The revision of the first event that is left. */
  readonly before: number;
  /** Where that was said: a scavenge that began later takes away what was cut off. */
  readonly position: Position;
}

/** Cuts off the first events of streams: no read of a stream gives them any more (rules/storage 14). */
export class Truncations {
  constructor(
    private readonly verbatim: Pick<VerbatimStreams, 'append' | 'readStream'>,
    private readonly names: StoredNames,
  ) {}

  /** What was cut off of a stream; undefined where nothing was. @throws Fault. */
  async find(streamName: string): Promise<Truncation | undefined> {
    return toTruncation(await this.#readMetadata(streamName));
  }

  /**
   * Cuts off what comes before a revision, and leaves the other metadata of the stream as they are. What is
   * cut off already stays so: of several that cut at once, the furthest counts.
   *
   * @throws Fault.
   */
  async truncate(streamName: string, before: number): Promise<Truncation> {
    assertDefect(Number.isSafeInteger(before) && before >= 0, `${before} is no revision`);
    const limits = { attempts: CONFLICTS, baseMs: CONFLICT_BASE_MS, capMs: CONFLICT_CAP_MS };
    return retry(() => this.#truncateOnce(streamName, before), limits);
  }

  async #truncateOnce(streamName: string, before: number): Promise<Truncation> {
    const metadata = await this.#readMetadata(streamName);
    const known = toTruncation(metadata);
    if (known !== undefined && known.before >= before) return known;
    const content = { ...metadata?.content, $tb: before };
    const event = {
      ...{ id: newUuid(), type: '$metadata', contentType: 'application/json' },
      ...{ data: Buffer.from(JSON.stringify(content)), metadata: new Uint8Array() },
    };
    const expected = metadata?.event.revision ?? 'no_stream';
    try {
      const { position } = await this.verbatim.append(this.#stored(streamName), expected, [event]);
      return { before, position };
    } catch (error) {
      if (!(error instanceof RevisionConflict)) throw error;
      const message = `the metadata of ${streamName} were changed by others`;
      throw new Fault('conflict', message, { retryable: true, cause: error });
    }
  }

  async #readMetadata(streamName: string): Promise<Metadata | undefined> {
    const last = { backwards: true, maxCount: 1 };
    const [event] = await this.verbatim.readStream(this.#stored(streamName), last);
    if (event === undefined) return undefined;
    // A store takes nothing else for metadata of a stream.
    const content = JSON.parse(Buffer.from(event.data).toString('utf8')) as Metadata['content'];
    return { event, content };
  }

  #stored(streamName: string): string {
    return this.names.toStored(`$$${streamName}`);
  }
}

interface Metadata {
  readonly event: VerbatimEvent;
  readonly content: Readonly<Record<string, unknown>>;
}

function toTruncation(metadata: Metadata | undefined): Truncation | undefined {
  const before = metadata?.content['$tb'];
  if (metadata === undefined || typeof before !== 'number') return undefined;
  return { before, position: metadata.event.position };
}
