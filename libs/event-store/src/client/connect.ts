import type { EventStoreDBClient } from '@eventstore/db-client';
import { withTimeLimit } from '#platform';
import { Appends } from './append.js';
import { BatchAppender } from './batch-appender.js';
import { exposeInternals } from './client-internals.js';
import { type Codec, type CodecOptions, createCodec } from '../streams/codec.js';
import { type ClientOptions, createClient } from './create-client.js';
import type { EventStore, ReadOptions } from '../streams/event-store.js';
import { followAll } from './feed.js';
import { findTime, hasEventAt, headPosition } from './store-positions.js';
import { inspectStore } from './inspection.js';
import type { LedgerStore } from './ledger-store.js';
import { Lifetimes } from './lifetimes.js';
import { APPEND_LIMITS, type AppendLimits, CLOSE_MS, PING_MS } from '../streams/limits.js';
import { LongCalls } from './long-calls.js';
import { Namespaces, NAMESPACES_STREAM } from '../streams/namespaces.js';
import { openAnswers } from './read-call.js';
import { readStream } from './read-stream.js';
import { readServerVersion } from './server-version.js';
import { isSupportedVersion } from './supported-version.js';
import { Scavenges } from './scavenges.js';
import { describeHosts, findSettingProblem, usesTls } from './setting-problems.js';
import { toStoredForm } from '../streams/stored-form.js';
import { StreamMetadataEvents } from './stream-metadata.js';
import { Truncations } from './truncations.js';
import { VerbatimStreams } from './verbatim/verbatim-streams.js';
import { PLAIN_NAMES, type StoredNames, StreamNames } from '../streams/stream-names.js';

/** A stream of the ledger on which its rights are tried; it never has an event. */
const CHECKED_STREAM = 'right_check-1';

/** What is committed comes from a follower as well, and a reader who waits for a position sees when. */
const ANY_NODE = { requiresLeader: false };

export interface ConnectOptions extends Omit<CodecOptions, 'names'>, ClientOptions {
  /** STREAM_NAMESPACE: what the stored names of all streams begin with (decision 0009). */
  readonly namespace?: string;
  readonly appendLimits?: AppendLimits;
}

/**
 * Connects to an event store: one client, one connection, to be shared by the whole process.
 *
 * @param connectionString `esdb://user:password@host:port?tls=true&tlsCAFile=file`,
 *   `esdb+discover://...`, or `?tls=false` for a store without credentials. It is a secret, and is
 *   never logged.
 */
export function connectEventStore(
  connectionString: string,
  options: ConnectOptions = {},
): LedgerStore {
  const client = createClient(connectionString, options);
  const limits = options.appendLimits ?? APPEND_LIMITS;
  const longCalls = new LongCalls();
  const appends = new Appends(new BatchAppender(client, longCalls, limits.attemptMs), limits);
  const names = new StreamNames(options.namespace);
  const connection = { client, appends };
  const plain = new NamedStreams(connection, createCodec({ names: PLAIN_NAMES }), PLAIN_NAMES);
  const streams = new NamedStreams(connection, createCodec({ ...options, names }), names);
  const verbatim = new VerbatimStreams({ client, appends, longCalls });
  const metadata = new StreamMetadataEvents(verbatim, names);
  return {
    append: (streamName, expected, events) => streams.append(streamName, expected, events),
    readStream: (streamName, readOptions) => streams.readStream(streamName, readOptions),
    headRevision: (streamName) => streams.headRevision(streamName),
    headPosition: () => headPosition(client),
    hasEventAt: (position) => hasEventAt(client, position),
    findTime: (position) => findTime(client, position),
    subscribe: (options) =>
      followAll((request) => openAnswers(client, request, ANY_NODE), streams.codec, {
        ...options,
        longCalls,
        regex: names.filter(options),
      }),
    namespaces: new Namespaces(plain, names.namespace),
    address: describeHosts(connectionString),
    verbatim,
    truncations: new Truncations(metadata),
    lifetimes: new Lifetimes(metadata),
    scavenges: new Scavenges(client),
    serverVersion: () => readServerVersion(client),
    inspect: async () => {
      const inspection = await inspectStore(client, names.toStored(CHECKED_STREAM));
      const isSupported = isSupportedVersion(inspection.version);
      const tls = usesTls(connectionString);
      return { ...inspection, isSupported, tls, namespace: names.namespace };
    },
    findSettingProblem: (error) => findSettingProblem(connectionString, error),
    ping: async () => {
      // Reading any stream shows whether the store answers; this one is the smallest.
      await withTimeLimit(plain.headRevision(NAMESPACES_STREAM), PING_MS, 'the event store');
    },
    dispose: async () => {
      await client.dispose();
      await closeChannel(client);
    },
  };
}

/** Single streams of a store, under names that are stored in one way. */
class NamedStreams {
  constructor(
    private readonly connection: {
      readonly client: EventStoreDBClient;
      readonly appends: Appends;
    },
    readonly codec: Codec,
    private readonly names: StoredNames,
  ) {}

  append: EventStore['append'] = (streamName, expected, events) =>
    this.connection.appends.append(
      this.names.toStored(streamName),
      expected,
      events.map((event) => toStoredForm(streamName, event)),
    );

  readStream(streamName: string, options?: ReadOptions) {
    const stored = this.names.toStored(streamName);
    return readStream(this.connection.client, this.codec, stored, options);
  }

  async headRevision(streamName: string): Promise<number> {
    const last = this.readStream(streamName, { maxCount: 1, backwards: true });
    for await (const { revision } of last) return revision;
    return -1;
  }
}

/**
 * The client leaves its connection open when it is disposed of, which would keep a process alive.
 */
async function closeChannel(client: EventStoreDBClient): Promise<void> {
  try {
    const channel = exposeInternals(client).getChannel();
    (await withTimeLimit(channel, CLOSE_MS, 'the event store')).close();
  } catch {
    // A cluster that cannot be found has no connection to close.
  }
}
