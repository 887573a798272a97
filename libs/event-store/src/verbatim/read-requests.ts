/** Requests of `event_store.client.streams.Streams/Read`, for what is read byte for byte. */
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Position } from '#domain/event';
import { START, toLogPosition } from '../position.js';

const { Options } = streams.ReadReq;
/** After so many events outside of the filter the store says how far it has looked. */
const SEARCH_WINDOW = 500;

export interface StreamRead {
  /** The first event to read, itself included; by default the first (or, backwards, the last). */
  readonly fromRevision?: number;
  readonly maxCount: number;
  readonly backwards?: boolean;
}

/** Some events of a stream. */
export function streamRequest(
  streamName: string,
  { fromRevision, maxCount, backwards = false }: StreamRead,
): streams.ReadReq {
  const stream = new Options.StreamOptions();
  const name = new shared.StreamIdentifier();
  name.setStreamName(Buffer.from(streamName).toString('base64'));
  stream.setStreamIdentifier(name);
  if (fromRevision !== undefined) stream.setRevision(String(fromRevision));
  else if (backwards) stream.setEnd(new shared.Empty());
  else stream.setStart(new shared.Empty());
  const options = begin();
  options.setStream(stream);
  options.setCount(String(maxCount));
  options.setReadDirection(
    backwards ? Options.ReadDirection.BACKWARDS : Options.ReadDirection.FORWARDS,
  );
  options.setNoFilter(new shared.Empty());
  return asRequest(options);
}

/** All that follows a position in streams whose stored names match. */
export function followRequest(after: Position, regex: string): streams.ReadReq {
  const all = new Options.AllOptions();
  if (after === START) all.setStart(new shared.Empty());
  else all.setPosition(logPosition(after));
  const expression = new Options.FilterOptions.Expression();
  expression.setRegex(regex);
  const filter = new Options.FilterOptions();
  filter.setStreamIdentifier(expression);
  filter.setMax(SEARCH_WINDOW);
  filter.setCheckpointintervalmultiplier(1);
  const options = begin();
  options.setAll(all);
  options.setSubscription(new Options.SubscriptionOptions());
  options.setFilter(filter);
  return asRequest(options);
}

function begin(): streams.ReadReq.Options {
  const ids = new Options.UUIDOption();
  ids.setString(new shared.Empty());
  const options = new Options();
  options.setUuidOption(ids);
  options.setResolveLinks(false);
  return options;
}

function asRequest(options: streams.ReadReq.Options): streams.ReadReq {
  const request = new streams.ReadReq();
  request.setOptions(options);
  return request;
}

function logPosition(position: Position): streams.ReadReq.Options.Position {
  const { commit, prepare } = toLogPosition(position);
  const at = new Options.Position();
  at.setCommitPosition(String(commit));
  at.setPreparePosition(String(prepare));
  return at;
}
