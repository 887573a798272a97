/**
 * The checks of the event store's connection string before the client follows it. The client follows some otherwise than
 * a URL reads, and says nothing of it: a colon ends the password, an `@` in it moves the host, `5s` is 5 ms, a slash
 * becomes a part of the host.
 */

import {
  type ConnectionOptions,
  parseConnectionString,
} from '@eventstore/db-client/dist/Client/parseConnectionString.js';
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

/** The client takes the digits at the beginning of these, and nothing behind them. */
const NUMBERS: Readonly<Record<string, string>> = {
  defaultDeadline: 'milliseconds',
  discoveryInterval: 'milliseconds',
  gossipTimeout: 'seconds',
  keepAliveInterval: 'milliseconds',
  keepAliveTimeout: 'milliseconds',
  maxDiscoverAttempts: 'attempts',
};
const DEFAULT_PORT = '2113';

/** A connection string as any URL reads (RFC 3986, 3.2), its hosts apart. */
interface UrlParts {
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly hosts: readonly string[];
  readonly path: string;
  readonly query: string;
}

/**
 * @param comparable brings names of options into the form in which the client compares them.
 * @returns the part that the client reads otherwise, by its place; it holds nothing of the credentials. Undefined also
 *   where the client refuses the string itself.
 */
function findMisreading(
  connectionString: string,
  comparable: (name: string) => string,
): string | undefined {
  const parts = splitAsUrl(connectionString);
  if (parts === undefined) return undefined;
  return (
    findInCredentials(parts) ??
    findInOptions(parts, comparable) ??
    findInHosts(parts, readAsClient(connectionString))
  );
}

function splitAsUrl(connectionString: string): UrlParts | undefined {
  const text = connectionString.trim().replace(/\/+$/, '');
  const [, behindScheme] = /^esdb(?:\+discover)?:\/\/(.*)$/s.exec(text) ?? [];
  if (behindScheme === undefined) return undefined;
  // An @ behind the first of these belongs to no credentials, unless these were not encoded.
  const end = behindScheme.search(/[/?#]/);
  const authority = end === -1 ? behindScheme : behindScheme.slice(0, end);
  const rest = behindScheme.slice(authority.length);
  const [path = '', query = ''] = rest.split(/\?(.*)/s);
  const at = authority.lastIndexOf('@');
  const [user, password] = at === -1 ? [] : authority.slice(0, at).split(/:(.*)/s);
  return { user, password, hosts: authority.slice(at + 1).split(','), path, query };
}

function findInCredentials({ user, password, path, query }: UrlParts): string | undefined {
  if (user === undefined) {
    return `${path}?${query}`.includes('@')
      ? 'user or password have a "/", "?" or "#": write %2F, %3F, %23'
      : undefined;
  }
  if (password === undefined || password === '' || user === '') {
    return 'it names a user and no password, or a password and no user: user:password@host';
  }
  if (password.includes(':')) return 'the password has a ":", at which it would end: write %3A';
  if (`${user}${password}`.includes('@')) {
    return 'user or password have an "@", behind which the host would begin: write %40';
  }
  return isEncoded(user) && isEncoded(password)
    ? undefined
    : 'user or password have a "%" that begins no encoded character: write %25';
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function findInOptions(
  { query }: UrlParts,
  comparable: (name: string) => string,
): string | undefined {
  const units = new Map(Object.entries(NUMBERS).map(([name, unit]) => [comparable(name), unit]));
  const options = query.split('&').map((option) => option.split(/=(.*)/s));
  const names = options.map(([name = '']) => comparable(name));
  const repeated = names.find((name, at) => name !== '' && names.indexOf(name) !== at);
  if (repeated !== undefined)
    return `it has the option ${repeated} twice, of which the last counts`;
  for (const [name = '', value = ''] of options) {
    const unit = units.get(comparable(name));
    if (unit !== undefined && !/^-?\d+$/.test(value.trim())) {
      return `${name.trim()} is a whole number of ${unit}, without a unit behind it`;
    }
  }
  return undefined;
}

/** The settings that the client would follow; undefined where it refuses. */
function readAsClient(connectionString: string): ConnectionOptions | undefined {
  try {
    return parseConnectionString(connectionString);
  } catch {
    return undefined;
  }
}

function findInHosts(
  { hosts, path, query }: UrlParts,
  read: ConnectionOptions | undefined,
): string | undefined {
  if (read === undefined) return undefined;
  if (path.startsWith('/')) {
    const why =
      query === '' ? '' : ': the options begin right behind the host, host:port?option=value';
    return `a path stands behind the host, which becomes a part of its name${why}`;
  }
  const meant = hosts.map((host) => host.split(/:(.*)/s));
  const misread = meant.findIndex(([address = '', port = DEFAULT_PORT], at) => {
    const found = read.hosts[at];
    return found?.address !== address || String(found.port) !== port;
  });
  if (misread === -1 && read.hosts.length === hosts.length) return undefined;
  return `its host number ${misread + 1} is not read as it stands: host:port, with a port of digits alone`;
}
