import { EventStoreDBClient } from '@eventstore/db-client';
import { SettingRefused } from '#platform';
import { keepQuietAboutAddresses } from './address-warning.js';
import { channelOptions, exposeInternals } from './client-internals.js';
import { FLOW_CONTROL_WINDOW_BYTES } from './limits.js';

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

/**
 * The client of a connection string, which is not dialled yet.
 *
 * @throws SettingRefused that says what is wrong with it, and holds nothing that could be a password.
 */
export function createClient(connectionString: string): EventStoreDBClient {
  keepQuietAboutAddresses();
  const problem = findProblem(connectionString);
  if (problem !== undefined) throw unusable(problem);
  try {
    return widened(EventStoreDBClient.connectionString(connectionString.trim()));
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

/**
 * A client to which the store may send ahead. The client lets nothing be said of its channels, whose usual
 * window of 64 kB are a hundred events: while these are worked on, the store waits.
 */
function widened(client: EventStoreDBClient): EventStoreDBClient {
  const internals = exposeInternals(client);
  const { createChannel } = internals;
  internals.createChannel = async () => {
    const channel = await createChannel();
    channelOptions(channel)['grpc-node.flow_control_window'] = FLOW_CONTROL_WINDOW_BYTES;
    return channel;
  };
  return client;
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
