import { EventStoreDBClient } from '@eventstore/db-client';
import { jitteredDelayMs, SettingRefused, sleep } from '#platform';
import {
  FAILOVER_BASE_MS,
  FAILOVER_CAP_MS,
  FLOW_CONTROL_WINDOW_BYTES,
  WATCH_TICK_MS,
} from '../../streams/limits.js';
import { exposeInternals } from '../client-internals.js';
import { channelOptions } from '../grpc-internals.js';
import {
  type ChannelWatchOptions,
  probeNode,
  stubOver,
  WatchedChannel,
} from '../failover/index.js';
import { findProblem, namesSeveralNodes, withGossipTimeout } from './connection-string.js';

export interface ClientOptions {
  /** The unit of a connection's silence; shorter in tests. */
  readonly watchTickMs?: number;
}

/**
 * The client of a connection string, which is not dialled yet.
 *
 * @throws SettingRefused that names its error, and holds nothing that could be a password.
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
    const isCluster = namesSeveralNodes(connectionString);
    return withOwnChannels(client, { tickMs: watchTickMs, isCluster });
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
function withOwnChannels(
  client: EventStoreDBClient,
  options: Pick<ChannelWatchOptions, 'tickMs' | 'isCluster'>,
): EventStoreDBClient {
  const internals = exposeInternals(client);
  const { createChannel } = internals;
  const watching: ChannelWatchOptions = {
    ...options,
    fruitless: { dials: 0, silences: 0 },
    probe: (channel, needsLeader) => probeNode(internals, channel, needsLeader),
    onNotLeader: (channel, error) => internals.handleError(stubOver(channel), error),
  };
  internals.createChannel = async () => {
    await pauseBeforeDialling((watching.fruitless.dials += 1));
    const channel = await createChannel();
    const settings = channelOptions(channel);
    settings['grpc-node.flow_control_window'] = FLOW_CONTROL_WINDOW_BYTES;
    settings['subledger.channel'] = channels += 1;
    return new WatchedChannel(channel, watching);
  };
  return client;
}

/**
 * A store that refuses is not dialled all the time: grpc-js would wait between dials, but each channel is a new one to it.
 * The first two go at once: to the node that is lost, and to the one that another node names.
 */
async function pauseBeforeDialling(dials: number): Promise<void> {
  if (dials > 2) await sleep(jitteredDelayMs(dials - 2, FAILOVER_BASE_MS, FAILOVER_CAP_MS));
}

function unusable(why: string): SettingRefused {
  return new SettingRefused(
    `The event store's connection string (EVENTSTOREDB_URL) cannot be used: ${why}.`,
  );
}

/** Node's name for its warning that a TLS server is called by an address. */
const CALLED_BY_ADDRESS = 'DEP0123';

let isQuiet = false;

/**
 * grpc-js names each server by the host of the connection string, and Node warns of addresses once in a process:
 * servers of several sites under one address could not tell which is meant. A store has one certificate, and the client
 * checks that it is for that address; the warning would only worry those who read it.
 */
function keepQuietAboutAddresses(): void {
  if (isQuiet) return;
  isQuiet = true;
  const emitWarning = process.emitWarning.bind(process) as (...args: unknown[]) => void;
  process.emitWarning = (...args: unknown[]) => {
    if (!args.includes(CALLED_BY_ADDRESS)) emitWarning(...args);
  };
}
