import streams from '@eventstore/db-client/generated/streams_pb.js';
import { InvalidArgument } from '../failures.js';
import { checkStreamName } from './append-messages.js';
import type { UuidForm } from './read-response.js';

/** A place in a stream or in $all; positions and revisions are inclusive or not as the read says. */
export type From = 'start' | 'end' | number;

export interface FilterRequest {
  readonly on: 'stream' | 'type';
  /** Wins over the prefixes if it is not empty. */
  readonly regex: string;
  readonly prefixes: readonly string[];
  /** Events to consider between two checkpoints. */
  readonly checkpointInterval: number;
}

/** A request of the `Read` call, which is a read or a subscription, of a stream or of $all. */
export interface ReadRequest {
  /** Undefined for $all. */
  readonly streamName?: string;
  readonly from: From;
  readonly backwards: boolean;
  readonly resolveLinks: boolean;
  /** The most events to answer with; undefined for a subscription. */
  readonly count?: number;
  readonly filter?: FilterRequest;
  readonly uuidForm: UuidForm;
  /** Reads of a stream tell its first and its last position, as clients since 21.10 may ask. */
  readonly tellsPositions: boolean;
}

type Options = streams.ReadReq.Options;

/** The `ControlOption.compatibility` from which reads of a stream tell positions. */
const TELLS_POSITIONS = 1;

/** EventStoreDB's window when a filter names none. */
const DEFAULT_WINDOW = 32;

/** Parses a `ReadReq`. Throws `InvalidArgument` for combinations that EventStoreDB refuses. */
export function readReadRequest(bytes: Buffer): ReadRequest {
  const options = streams.ReadReq.deserializeBinary(bytes).getOptions();
  if (!options) throw new InvalidArgument('Read options are needed.');
  const isSubscription = options.hasSubscription();
  const backwards = options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS;
  if (isSubscription && backwards) {
    throw new InvalidArgument('A subscription reads forwards only.');
  }
  if (!isSubscription && !options.hasCount()) {
    throw new InvalidArgument('A count or a subscription is needed.');
  }
  const target = readTarget(options);
  const filter = options.getFilter();
  if (filter && target.streamName !== undefined) {
    throw new InvalidArgument('Only $all can be filtered.');
  }
  return {
    ...target,
    backwards,
    resolveLinks: options.getResolveLinks(),
    uuidForm: readUuidForm(options),
    tellsPositions: (options.getControlOption()?.getCompatibility() ?? 0) >= TELLS_POSITIONS,
    ...(isSubscription ? {} : { count: wholeNumber(options.getCount()) }),
    ...(filter ? { filter: readFilter(filter) } : {}),
  };
}

function readTarget(options: Options): { streamName?: string; from: From } {
  const stream = options.getStream();
  if (stream) {
    const bytes = stream.getStreamIdentifier()?.getStreamName_asU8() ?? new Uint8Array(0);
    const streamName = checkStreamName(Buffer.from(bytes).toString('utf8'));
    if (stream.hasRevision()) return { streamName, from: wholeNumber(stream.getRevision()) };
    if (stream.hasEnd()) return { streamName, from: 'end' };
    return { streamName, from: 'start' };
  }
  const all = options.getAll();
  if (!all) throw new InvalidArgument('A stream or $all is needed.');
  const position = all.getPosition();
  if (position) return { from: wholeNumber(position.getCommitPosition()) };
  return { from: all.hasEnd() ? 'end' : 'start' };
}

function readUuidForm(options: Options): UuidForm {
  const choice = options.getUuidOption();
  if (choice?.hasString()) return 'string';
  if (choice?.hasStructured()) return 'structured';
  throw new InvalidArgument('A UUID option is needed.');
}

function readFilter(filter: streams.ReadReq.Options.FilterOptions): FilterRequest {
  const onStream = filter.getStreamIdentifier();
  const expression = onStream ?? filter.getEventType();
  if (!expression) throw new InvalidArgument('A filter needs a stream name or an event type.');
  if (filter.hasMax() && filter.getMax() === 0) {
    throw new InvalidArgument("A filter's window must be at least 1.");
  }
  const window = filter.hasMax() ? filter.getMax() : DEFAULT_WINDOW;
  return {
    on: onStream ? 'stream' : 'type',
    regex: expression.getRegex(),
    prefixes: expression.getPrefixList(),
    checkpointInterval: window * Math.max(1, filter.getCheckpointintervalmultiplier()),
  };
}

/** A uint64 that came as text. Above 2^53 it is only a sentinel for "the end". */
function wholeNumber(text: string): number {
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}
