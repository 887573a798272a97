import type { EventStoreDBClient } from '@eventstore/db-client';
import { withTimeLimit } from '#platform';
import { Appends } from './append.js';
import { BatchAppender } from './batch-appender.js';
import { exposeInternals } from './client-internals.js';
import { type CodecOptions, createCodec } from './codec.js';
import type { EventStore, ReadOptions } from './event-store.js';
import { followAll } from './feed.js';
import { headPosition } from './head-position.js';
import { createClient } from './create-client.js';
import { APPEND_LIMITS, type AppendLimits, CLOSE_MS, PING_MS } from './limits.js';
import { readStream } from './read-stream.js';

/** Reading any stream shows whether the store answers; this one is the smallest. */
const PING_STREAM = 'store-identity';

export interface ConnectOptions extends CodecOptions {
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
): EventStore {
  const client = createClient(connectionString);
  const codec = createCodec(options);
  const limits = options.appendLimits ?? APPEND_LIMITS;
  const appends = new Appends(new BatchAppender(client, limits.attemptMs), limits);
  const read = (streamName: string, readOptions?: ReadOptions) =>
    readStream(client, codec, streamName, readOptions);
  const headRevision = async (streamName: string): Promise<number> => {
    for await (const { revision } of read(streamName, { maxCount: 1, backwards: true })) {
      return revision;
    }
    return -1;
  };
  return {
    append: (streamName, expected, events) => appends.append(streamName, expected, events),
    readStream: read,
    headRevision,
    headPosition: () => headPosition(client),
    subscribe: (subscribeOptions) => followAll(client, codec, subscribeOptions),
    ping: async () => {
      await withTimeLimit(headRevision(PING_STREAM), PING_MS, 'the event store');
    },
    dispose: async () => {
      await client.dispose();
      await closeChannel(client);
    },
  };
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
