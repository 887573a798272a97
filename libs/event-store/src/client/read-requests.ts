/** Requests of `event_store.client.streams.Streams/Read`; a spec reads them back with the generated classes. */
import type { Position } from '#domain/event';
import { ProtobufWriter } from '#platform/protobuf';
import { START, toLogPosition } from '../streams/position.js';

export interface StreamRead {
  /** The first event to read, itself included; by default the first (or, backwards, the last). */
  readonly fromRevision?: number;
  readonly maxCount: number;
  readonly backwards?: boolean;
}

const writer = new ProtobufWriter();

/** Some events of a stream. */
export function streamRequest(
  streamName: string,
  { fromRevision, maxCount, backwards = false }: StreamRead,
): Buffer {
  return request(() => {
    writeTail(maxCount);
    writeDirection(backwards);
    writer.message(1, () => {
      if (fromRevision !== undefined) writer.varint(2, fromRevision);
      else writer.empty(backwards ? 4 : 3);
      writer.message(1, () => writer.text(3, streamName));
    });
  });
}

/** The last event of all. */
export function headRequest(): Buffer {
  return request(() => {
    writeTail(1);
    writeDirection(true);
    writer.message(2, () => writer.empty(3));
  });
}

/** The first events at a position or behind it. */
export function positionRequest(at: Position, maxCount = 1): Buffer {
  return request(() => {
    writeTail(maxCount);
    writer.message(2, () => writePosition(at));
  });
}

/**
 * All that follows a position in streams whose stored names match.
 *
 * @param searchWindow after so many events outside of the filter the store says how far it has looked.
 */
export function followRequest(after: Position, regex: string, searchWindow: number): Buffer {
  return request(() => {
    writer.message(9, () => writer.empty(2));
    writer.message(7, () => {
      writer.varint(5, 1);
      writer.varint(3, searchWindow);
      writer.message(1, () => writer.text(1, regex));
    });
    writer.empty(6);
    writer.message(2, () => {
      if (after === START) writer.empty(2);
      else writePosition(after);
    });
  });
}

/** `ReadReq`, whose options are one message. Like all that the writer is given, its fields descend. */
function request(writeOptions: () => void): Buffer {
  writer.message(1, writeOptions);
  return writer.finish();
}

/** At most so many events, of all kinds, with their ids as text. */
function writeTail(maxCount: number): void {
  writer.message(9, () => writer.empty(2));
  writer.empty(8);
  writer.varint(5, maxCount);
}

function writeDirection(backwards: boolean): void {
  if (backwards) writer.varint(3, 1);
}

function writePosition(position: Position): void {
  const { commit, prepare } = toLogPosition(position);
  writer.message(1, () => {
    writer.varint64(2, prepare);
    writer.varint64(1, commit);
  });
}
