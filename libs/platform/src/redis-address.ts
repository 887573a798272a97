/** Where Redis is: one server, or the nodes by which a Redis Cluster is found. */
export type RedisAddress =
  | { readonly kind: 'single'; readonly url: string }
  | {
      readonly kind: 'cluster';
      readonly nodes: readonly RedisNode[];
      readonly username: string | undefined;
      readonly password: string | undefined;
      readonly isSecure: boolean;
    };

export interface RedisNode {
  readonly host: string;
  readonly port: number;
}

const DEFAULT_PORT = 6379;
const FORM = 'redis://user:password@host:port,host:port';
/** Scheme, credentials, and the rest: a password may hold commas, so they are cut off first. */
const PARTS = /^(rediss?):\/\/(?:([^/]*)@)?(.*)$/;
const NODE = /^(\[[0-9a-fA-F:.]+\]|[^:[\]/?#@\s]+)(?::(\d{1,5}))?$/;

/**
 * Reads REDIS_URL: `redis://`, `rediss://` or `unix:`. With several nodes,
 * `redis://user:password@host:port,host:port`, it is a cluster (rules/running 9). One node's address is
 * left as it is: the client reads it.
 *
 * @throws Error that says which part is wrong, and shows no password.
 */
export function parseRedisAddress(text: string): RedisAddress {
  if (text.startsWith('unix:')) return { kind: 'single', url: text };
  const [, scheme, credentials, rest] = PARTS.exec(text) ?? [];
  if (scheme === undefined || rest === undefined) {
    throw new Error('must begin with redis:// or rediss:// or unix:');
  }
  if (rest.includes('://')) throw new Error(`has a scheme at its beginning alone: ${FORM}`);
  const path = /[/?#].*$/.exec(rest)?.[0] ?? '';
  const nodes = rest.slice(0, rest.length - path.length).split(',');
  if (nodes.length === 1) return { kind: 'single', url: text };
  if (!['', '/', '/0'].includes(path)) {
    throw new Error(`ends with "${path}": a cluster has database 0 alone, and takes no options`);
  }
  return {
    kind: 'cluster',
    nodes: nodes.map(parseNode),
    ...parseCredentials(credentials),
    isSecure: scheme === 'rediss',
  };
}

function parseNode(text: string): RedisNode {
  const [, host, port = String(DEFAULT_PORT)] = NODE.exec(text) ?? [];
  if (host === undefined) {
    throw new Error(`names "${text}" as a node: a node is host or host:port, as in ${FORM}`);
  }
  const number = Number(port);
  if (number < 1 || number > 65_535) {
    throw new Error(`names "${text}" as a node: a port is 1 to 65535`);
  }
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: number };
}

function parseCredentials(text = '') {
  const colon = text.indexOf(':');
  const [username, password] =
    colon < 0 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)];
  try {
    return {
      username: decodeURIComponent(username) || undefined,
      password: decodeURIComponent(password) || undefined,
    };
  } catch {
    throw new Error('has a user or password with a "%" that is not the beginning of an escape');
  }
}
