/** The checks of the event store's connection string before the client follows it. */
import { findMisreading } from './connection-misreadings.js';
import { GOSSIP_TIMEOUT_S } from '../../streams/limits.js';

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

/** A frozen node is asked for the leader, too, and the client gives it 5 s where the connection string says nothing. */
export function withGossipTimeout(connectionString: string): string {
  const { query } = splitAfterUser(connectionString);
  const names = (query ?? '').split('&').map((option) => comparable(option.split('=')[0] ?? ''));
  if (names.includes(comparable('gossipTimeout'))) return connectionString;
  const separator = query === undefined ? '?' : '&';
  return `${connectionString}${separator}gossipTimeout=${GOSSIP_TIMEOUT_S}`;
}

/**
 * @returns its error, where the client would follow it otherwise than it reads, and nothing of a password; the client
 *   itself refuses a string of another form altogether.
 */
export function findProblem(connectionString: string): string | undefined {
  const { hosts, query = '' } = splitAfterUser(connectionString);
  // The client would ask the first of them alone who leads, and find no leader while that one is down.
  if (isDiscovered(connectionString) && hosts.includes(',')) {
    return 'esdb+discover:// takes one DNS name that has all nodes; several nodes are named by esdb://host:port,host:port';
  }
  const names = query.split('&').map((option) => option.split('=')[0] ?? '');
  const unknown = names.find((name) => name !== '' && !OPTIONS.has(comparable(name)));
  if (unknown === undefined) return findMisreading(connectionString, comparable);
  // After a typing mistake, a part of the password may look like an option.
  const shown = /^[A-Za-z_-]{1,30}$/.test(unknown) ? ` (${unknown})` : '';
  return `it has an option that the client does not follow${shown}`;
}

/** Whether there may be another node to go to. */
export function namesSeveralNodes(connectionString: string): boolean {
  return isDiscovered(connectionString) || splitAfterUser(connectionString).hosts.includes(',');
}

function isDiscovered(connectionString: string): boolean {
  return connectionString.trim().startsWith('esdb+discover:');
}

function splitAfterUser(connectionString: string): { hosts: string; query: string | undefined } {
  const afterUser = connectionString.slice(connectionString.lastIndexOf('@') + 1);
  const [hosts = '', query] = afterUser.split('?');
  return { hosts, query };
}

function comparable(name: string): string {
  return name.trim().toLowerCase().replaceAll(/[_-]/g, '');
}
