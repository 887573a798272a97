import type { EventStoreDBClient } from '@eventstore/db-client';
import type { RecordedEvent } from '#domain/event';
import { withTimeLimit } from '#platform';
import { type Codec, type CodecOptions, createCodec } from '../streams/codec.js';
import type { EventStore, ReadOptions } from '../streams/event-store.js';
import {
  APPEND_LIMITS,
  type AppendLimits,
  CLOSE_MS,
  CALL_IDLE_MS,
  SIGN_OF_LIFE_MS,
} from '../streams/limits.js';
import { Namespaces, NAMESPACES_STREAM } from '../streams/namespaces.js';
import { toStoredForm } from '../streams/stored-form.js';
import { PLAIN_NAMES, type StoredNames, StreamNames } from '../streams/stream-names.js';
import { Appends, BatchAppender } from './append/index.js';
import { exposeInternals } from './client-internals.js';
import { StoreConnection } from './connection/index.js';
import { type ClientOptions, createClient } from './dial/create-client.js';
import { describeHosts, findSettingProblem, usesTls } from './dial/setting-problems.js';
import { inspectStore, isSupportedVersion, readServerVersion } from './maintenance/inspection.js';
import type { LedgerStore } from './ledger-store.js';
import { LongCalls } from './long-calls.js';
import { Lifetimes, StreamMetadataEvents, Truncations } from './maintenance/stream-metadata.js';
import { Scavenges } from './maintenance/scavenges.js';
import { streamRequest } from './read-requests.js';
import { openRead, readBatches } from './read/index.js';
import { findTime, findTimeAfter, hasEventAt, headPosition } from './read/read-events.js';
import { followAll } from './subscribe/feed.js';
import { VerbatimStreams } from './verbatim/verbatim-streams.js';

/** A stream of the ledger on which its rights are tried; it never has an event. */
const CHECKED_STREAM = 'right_check-1';

/** Committed events come from a follower as well, and a reader who waits for a position sees when. */
const ANY_NODE = { requiresLeader: false, limitMs: CALL_IDLE_MS };

export interface ConnectOptions extends Omit<CodecOptions, 'names'>, ClientOptions {
  /** STREAM_NAMESPACE: the prefix of the stored names of all streams (decision 0009). */
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
  const store = new StoreConnection(client);
  const appends = new Appends(new BatchAppender(store, longCalls, limits.attemptMs), limits);
  const names = new StreamNames(options.namespace);
  const connection = { store, appends };
  const plain = new NamedStreams(connection, createCodec({ names: PLAIN_NAMES }), PLAIN_NAMES);
  const streams = new NamedStreams(connection, createCodec({ ...options, names }), names);
  const verbatim = new VerbatimStreams({ client, store, appends, longCalls });
  const metadata = new StreamMetadataEvents(verbatim, names);
  return {
    append: (streamName, expected, events) => streams.append(streamName, expected, events),
    readStream: (streamName, readOptions) => streams.readStream(streamName, readOptions),
    headRevision: (streamName) => streams.headRevision(streamName),
    headPosition: () => headPosition(store),
    hasEventAt: (position) => hasEventAt(store, position),
    findTime: (position) => findTime(store, position),
    findTimeAfter: (after) => findTimeAfter(store, after),
    subscribe: (options) => {
      const call = { ...ANY_NODE, untaken: options.batchSize };
      const open = (request: Buffer) => openRead(store, { ...call, request });
      const feed = { ...options, longCalls, regex: names.filter(options) };
      return followAll(open, streams.codec, feed);
    },
    namespaces: new Namespaces(plain, names.namespace),
    names,
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
      await withTimeLimit(
        plain.headRevision(NAMESPACES_STREAM),
        SIGN_OF_LIFE_MS,
        'the event store',
      );
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
      readonly store: StoreConnection;
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

  async *readStream(
    streamName: string,
    options: ReadOptions = {},
  ): AsyncGenerator<RecordedEvent, void, undefined> {
    const stored = this.names.toStored(streamName);
    const { maxCount = Number.MAX_SAFE_INTEGER } = options;
    const request = streamRequest(stored, { ...options, maxCount });
    const read = { request, maxCount, doing: `reading ${stored}` };
    for await (const events of readBatches(this.connection.store, read)) {
      for (const event of events) yield this.codec.decode(event);
    }
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
