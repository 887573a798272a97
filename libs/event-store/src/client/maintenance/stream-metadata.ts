import type { Position } from '#domain/event';
import { Fault, newUuid, retry } from '#platform';
import { RevisionConflict } from '../../streams/event-store.js';
import { CONFLICT_BASE_MS, CONFLICT_CAP_MS, CONFLICTS } from '../../streams/limits.js';
import type { StoredNames } from '../../streams/stream-names.js';
import type { VerbatimEvent } from '../../streams/verbatim-event.js';
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

  async #read(streamName: string): Promise<VerbatimEvent | undefined> {
    const last = { backwards: true, maxCount: 1 };
    const [event] = await this.verbatim.readStream(this.#stored(streamName), last);
    return event;
  }

  #stored(streamName: string): string {
    return this.names.toStored(`$$${streamName}`);
  }
}

function parseContent({ data }: VerbatimEvent): Content {
  // A store takes nothing else for metadata of a stream.
  return JSON.parse(Buffer.from(data).toString('utf8')) as Content;
}
