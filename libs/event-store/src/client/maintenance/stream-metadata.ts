import { LRUCache } from 'lru-cache';
import type { Position } from '#domain/event';
import { assertDefect, Fault, newUuid, retry, upTo } from '#platform';
import { RevisionConflict } from '../../streams/event-store.js';
import {
  CONFLICT_BASE_MS,
  CONFLICT_CAP_MS,
  CONFLICTS,
  LIMITED_STREAMS_KNOWN,
} from '../../streams/limits.js';
import type { StoredNames } from '../../streams/stream-names.js';
import type { StoredEvent } from '../../streams/stored-event.js';
import type { VerbatimStreams } from '../verbatim/verbatim-streams.js';

type Content = Readonly<Record<string, unknown>>;

/** A store's metadata of a stream, such as its first event that can be read. */
export interface SaidMetadata {
  readonly content: Content;
  /** The position of the event that brought them. */
  readonly position: Position;
}

/** Reads and changes the metadata of streams; those that are not named stay as they are. */
export class StreamMetadataEvents {
  constructor(
    private readonly verbatim: Pick<VerbatimStreams, 'append' | 'readStream'>,
    private readonly names: StoredNames,
  ) {}

  /** @throws Fault. */
  async find(streamName: string): Promise<SaidMetadata | undefined> {
    const event = await this.#read(streamName);
    return event && { content: parseContent(event), position: event.position };
  }

  /**
   * Of several changes at once, each sees the changes of the others.
   *
   * @param choose the new content; undefined where nothing changes. @throws Fault.
   */
  async change(
    streamName: string,
    choose: (content: Content) => Content | undefined,
  ): Promise<SaidMetadata> {
    const limits = { attempts: CONFLICTS, baseMs: CONFLICT_BASE_MS, capMs: CONFLICT_CAP_MS };
    return retry(() => this.#changeOnce(streamName, choose), limits);
  }

  async #changeOnce(
    streamName: string,
    choose: (content: Content) => Content | undefined,
  ): Promise<SaidMetadata> {
    const known = await this.#read(streamName);
    const before = known === undefined ? {} : parseContent(known);
    const said = choose(before);
    if (known !== undefined && said === undefined) {
      return { content: before, position: known.position };
    }
    const content = { ...before, ...said };
    const event = {
      ...{ id: newUuid(), type: '$metadata', contentType: 'application/json' },
      ...{ data: Buffer.from(JSON.stringify(content)), metadata: new Uint8Array() },
    };
    const expected = known?.revision ?? 'no_stream';
    try {
      const { position } = await this.verbatim.append(this.#stored(streamName), expected, [event]);
      return { content, position };
    } catch (error) {
      if (!(error instanceof RevisionConflict)) throw error;
      const message = `the metadata of ${streamName} were changed by others`;
      throw new Fault('conflict', message, { retryable: true, cause: error });
    }
  }

  async #read(streamName: string): Promise<StoredEvent | undefined> {
    const last = { backwards: true, maxCount: 1 };
    const [event] = await this.verbatim.readStream(this.#stored(streamName), last);
    return event;
  }

  #stored(streamName: string): string {
    return this.names.toStored(`$$${streamName}`);
  }
}

function parseContent({ data }: StoredEvent): Content {
  // A store takes nothing else for metadata of a stream.
  return JSON.parse(Buffer.from(data).toString('utf8')) as Content;
}

/** The rest of a short-lived stream; a limit that is not named is none. */
export interface Lifetime {
  readonly maxAgeSeconds?: number;
  readonly maxCount?: number;
}

/** Says of streams that the store forgets their events after a while (rules/storage 14). */
export class Lifetimes {
  /** Said once by this process, and for good. */
  readonly #known = new LRUCache<string, true>(upTo(LIMITED_STREAMS_KNOWN));

  constructor(private readonly metadata: StreamMetadataEvents) {}

  /**
   * Limits a stream, before or after its first event. Its other metadata stay as they are; a repeated limit writes
   * nothing.
   *
   * @throws Fault.
   */
  async limit(streamName: string, { maxAgeSeconds, maxCount }: Lifetime): Promise<void> {
    if (this.#known.has(streamName)) return;
    const wanted = {
      ...(maxAgeSeconds !== undefined && { $maxAge: maxAgeSeconds }),
      ...(maxCount !== undefined && { $maxCount: maxCount }),
    };
    await this.metadata.change(streamName, (content) => {
      const isSaid = Object.entries(wanted).every(([name, value]) => content[name] === value);
      return isSaid ? undefined : wanted;
    });
    this.#known.set(streamName, true);
  }
}

/** The revision from which a stream can still be read. */
export interface Truncation {
  /** The revision of the first event that is left. */
  readonly before: number;
  /** The position of the cut: a scavenge that began later takes the events away. */
  readonly position: Position;
}

/** Cuts off the first events of streams: no read of a stream gives them any more (rules/storage 14). */
export class Truncations {
  constructor(private readonly metadata: StreamMetadataEvents) {}

  /** The cut of a stream; undefined where there is none. @throws Fault. */
  async find(streamName: string): Promise<Truncation | undefined> {
    return toTruncation(await this.metadata.find(streamName));
  }

  /**
   * Cuts off the events before a revision, and leaves the other metadata of the stream as they are. An earlier cut
   * stays so: of several that cut at once, the furthest counts.
   *
   * @throws Fault.
   */
  async truncate(streamName: string, before: number): Promise<Truncation> {
    assertDefect(Number.isSafeInteger(before) && before >= 0, `${before} is no revision`);
    const changed = await this.metadata.change(streamName, (content) =>
      (readBefore(content) ?? -1) >= before ? undefined : { $tb: before },
    );
    const truncation = toTruncation(changed);
    assertDefect(truncation !== undefined, 'a stream that was cut off says so');
    return truncation;
  }
}

function toTruncation(metadata: SaidMetadata | undefined): Truncation | undefined {
  const before = metadata && readBefore(metadata.content);
  if (metadata === undefined || before === undefined) return undefined;
  return { before, position: metadata.position };
}

function readBefore(content: SaidMetadata['content']): number | undefined {
  const before = content['$tb'];
  return typeof before === 'number' ? before : undefined;
}
