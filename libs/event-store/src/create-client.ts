import { EventStoreDBClient } from '@eventstore/db-client';
import { jitteredDelayMs, SettingRefused, sleep } from '#platform';
import { keepQuietAboutAddresses } from './address-warning.js';
import { ChannelWatch, type ChannelWatchOptions } from './channel-watch.js';
import { channelOptions, exposeInternals } from './client-internals.js';
import { probeNode, stubOver } from './leader-probe.js';
import {
  DIAL_AGAIN_BASE_MS,
  DIAL_AGAIN_CAP_MS,
  FLOW_CONTROL_WINDOW_BYTES,
  GOSSIP_TIMEOUT_S,
  WATCH_TICK_MS,
} from './limits.js';

/**
 * The options that the client knows, as it compares them. It prints the whole connection string,
 * password and all, when it is given another one, and also for `tlsVerifyCert=false`, which it does
 * not follow.
 */
const OPTIONS = new Set(
  [
    ...['tls', 'tlsCAFile', 'userCertFile', 'userKeyFile', 'connectionName', 'nodePreference'],
    ...['maxDiscoverAttempts', 'discoveryInterval', 'gossipTimeout', 'defaultDeadline'],
    ...['throwOnAppendFailure', 'keepAliveInterval', 'keepAliveTimeout'],
  ].map(comparable),
);

export interface ClientOptions {
  /** In what silence of a connection is counted; shorter in tests. */
  readonly watchTickMs?: number;
}

/**
 * The client of a connection string, which is not dialled yet.
 *
 * @throws SettingRefused that says what is wrong with it, and holds nothing that could be a password.
 */
export function createClient(
  connectionString: string,
  { watchTickMs = WATCH_TICK_MS }: ClientOptions = {},
): EventStoreDBClient {
  keepQuietAboutAddresses();
  const problem = findProblem(connectionString);
  if (problem !== undefined) throw unusable(problem);
  try {
    const client = EventStoreDBClient.connectionString(withGossipTimeout(connectionString.trim()));
    return withOwnChannels(client, watchTickMs);
  } catch (error) {
    // The client's own error quotes from the string, and carries all of it.
    const isFile = error instanceof Error && error.message.includes('file');
    throw unusable(
      isFile
        ? 'a file that it names (tlsCAFile, userCertFile, userKeyFile) cannot be read'
        : 'it is not of the form esdb://user:password@host:port?option=value',
    );
  }
}

/** Makes a channel that shares no connection with an earlier one: grpc-js does where all options are the same. */
let channels = 0;

/**
 * A client to which the store may send ahead, and whose channels are watched. The client lets nothing be said of its
 * channels, whose usual window of 64 kB are a hundred events: while these are worked on, the store waits.
 */
function withOwnChannels(client: EventStoreDBClient, tickMs: number): EventStoreDBClient {
  const internals = exposeInternals(client);
  const { createChannel } = internals;
  const watching: ChannelWatchOptions = {
    tickMs,
    fruitless: { dials: 0, silences: 0 },
    probe: (channel, needsLeader) => probeNode(internals, channel, needsLeader),
    onNotLeader: (channel, error) => internals.handleError(stubOver(channel), error),
  };
  internals.createChannel = async () => {
    await pauseBeforeDialling((watching.fruitless.dials += 1));
    const channel = await createChannel();
    const options = channelOptions(channel);
    options['grpc-node.flow_control_window'] = FLOW_CONTROL_WINDOW_BYTES;
    options['subledger.channel'] = channels += 1;
    ChannelWatch.start(channel, watching);
    return channel;
  };
  return client;
}

/**
 * A store that refuses is not dialled all the time: grpc-js would wait between dials, but each channel is a new one to it.
 * The first two go at once: to the node that is lost, and to the one that another node names.
 */
async function pauseBeforeDialling(dials: number): Promise<void> {
  if (dials > 2) await sleep(jitteredDelayMs(dials - 2, DIAL_AGAIN_BASE_MS, DIAL_AGAIN_CAP_MS));
}

/** A frozen node is asked for the leader, too, and the client gives it 5 s where the connection string says nothing. */
function withGossipTimeout(connectionString: string): string {
  const [, query] = connectionString.slice(connectionString.lastIndexOf('@') + 1).split('?');
  const names = (query ?? '').split('&').map((option) => comparable(option.split('=')[0] ?? ''));
  if (names.includes(comparable('gossipTimeout'))) return connectionString;
  const separator = query === undefined ? '?' : '&';
  return `${connectionString}${separator}gossipTimeout=${GOSSIP_TIMEOUT_S}`;
}

function findProblem(connectionString: string): string | undefined {
  const afterHosts = connectionString.slice(connectionString.lastIndexOf('@') + 1);
  const [, query = ''] = afterHosts.split('?');
  const names = query.split('&').map((option) => option.split('=')[0] ?? '');
  const unknown = names.find((name) => name !== '' && !OPTIONS.has(comparable(name)));
  if (unknown === undefined) return undefined;
  // After a typing mistake, what looks like an option may be a part of the password.
  const shown = /^[A-Za-z_-]{1,30}$/.test(unknown) ? ` (${unknown})` : '';
  return `it has an option that the client does not follow${shown}`;
}

function comparable(name: string): string {
  return name.trim().toLowerCase().replaceAll(/[_-]/g, '');
}

function unusable(why: string): SettingRefused {
  return new SettingRefused(
    `The event store's connection string (EVENTSTOREDB_URL) cannot be used: ${why}.`,
  );
}
