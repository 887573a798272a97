import type { Position } from '#domain/event';
import { assertDefect } from '#platform';
import type { SaidMetadata, StreamMetadataEvents } from './stream-metadata.js';

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
