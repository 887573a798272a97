/** Requests of `event_store.client.streams.Streams/Read`, for what is read byte for byte. */
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Position } from '#domain/event';
import { FieldWriter } from '../field-writer.js';
import { START, toLogPosition } from '../../streams/position.js';

const { Options } = streams.ReadReq;
export interface StreamRead {
  /** The first event to read, itself included; by default the first (or, backwards, the last). */
  readonly fromRevision?: number;
  readonly maxCount: number;
  readonly backwards?: boolean;
}

/** Some events of a stream, as the bytes of a `ReadReq`. A spec reads them back with the generated classes. */
export function streamRequest(
  streamName: string,
  { fromRevision, maxCount, backwards = false }: StreamRead,
): Buffer {
  const writer = new FieldWriter();
  writer.message(1, () => {
    writer.message(1, () => {
      writer.message(1, () => writer.text(3, streamName));
      if (fromRevision !== undefined) writer.integer(2, fromRevision);
      else writer.empty(backwards ? 4 : 3);
    });
    writer.integer(3, backwards ? Options.ReadDirection.BACKWARDS : Options.ReadDirection.FORWARDS);
    writer.integer(5, maxCount);
    writer.empty(8);
    writer.message(9, () => writer.empty(2));
  });
  return writer.bytes;
}

/** The last event of all. */
export function headRequest(): Buffer {
  const all = new Options.AllOptions();
  all.setEnd(new shared.Empty());
  const options = new Options();
  options.setAll(all);
  options.setReadDirection(Options.ReadDirection.BACKWARDS);
  options.setCount('1');
  options.setResolveLinks(false);
  options.setNoFilter(new shared.Empty());
  return finishRequest(options);
}

/**
 * All that follows a position in streams whose stored names match.
 *
 * @param searchWindow after so many events outside of the filter the store says how far it has looked.
 */
export function followRequest(after: Position, regex: string, searchWindow: number): Buffer {
  const all = new Options.AllOptions();
  if (after === START) all.setStart(new shared.Empty());
  else all.setPosition(logPosition(after));
  const expression = new Options.FilterOptions.Expression();
  expression.setRegex(regex);
  const filter = new Options.FilterOptions();
  filter.setStreamIdentifier(expression);
  filter.setMax(searchWindow);
  filter.setCheckpointintervalmultiplier(1);
  const options = new Options();
  options.setResolveLinks(false);
  options.setAll(all);
  options.setSubscription(new Options.SubscriptionOptions());
  options.setFilter(filter);
  return finishRequest(options);
}

function finishRequest(options: streams.ReadReq.Options): Buffer {
  const ids = new Options.UUIDOption();
  ids.setString(new shared.Empty());
  options.setUuidOption(ids);
  const request = new streams.ReadReq();
  request.setOptions(options);
  return Buffer.from(request.serializeBinary());
}

function logPosition(position: Position): streams.ReadReq.Options.Position {
  const { commit, prepare } = toLogPosition(position);
  const at = new Options.Position();
  at.setCommitPosition(String(commit));
  at.setPreparePosition(String(prepare));
  return at;
}
