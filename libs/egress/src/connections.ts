import { type buildConnector, Client } from 'undici';
import type { TargetRules } from './address.js';
import { type Connect, createConnect, type EgressOptions } from './connector.js';
import { ProxyWatch } from './proxy.js';

interface ConnectionOptions {
  /** Shared by requests of the same endpoint, target and rules alone. */
  readonly key: string;
  readonly origin: string;
  readonly connect: Connect;
  /** How long it is kept without a request. */
  readonly idleMs: number;
  readonly onClosed: (connection: Connection) => void;
}

/** One connection to one endpoint's target, for one request at a time. */
export class Connection {
  readonly key: string;
  readonly client: Client;
  /** The other end, once it is connected. */
  remoteAddress = '';
  /** Whether the operator's proxy stands between. */
  isProxied = false;
  /** Whether a request went over it already: its other end may be closing it just now. */
  isUsed = false;
  readonly #connect: Connect;
  #signal: AbortSignal = AbortSignal.abort();

  constructor({ key, origin, connect, idleMs, onClosed }: ConnectionOptions) {
    this.key = key;
    this.#connect = connect;
    this.client = new Client(origin, {
      connect: (target, callback) => this.#open(target, callback),
      keepAliveTimeout: idleMs,
      // A receiver may ask for less, and not for ten minutes.
      keepAliveMaxTimeout: idleMs,
    });
    this.client.on('disconnect', () => onClosed(this));
  }

  /** For the request that follows: its end is that of a connection that is being opened, too. */
  begin(signal: AbortSignal): void {
    this.#signal = signal;
  }

  async destroy(): Promise<void> {
    await this.client.destroy();
  }

  #open(target: buildConnector.Options, callback: buildConnector.Callback): void {
    this.#connect(target, this.#signal).then(
      ({ socket, remoteAddress, isProxied }) => {
        Object.assign(this, { remoteAddress, isProxied });
        callback(null, socket);
      },
      // Whatever it is rejected with is an error, or the reason of a signal, which undici hands on.
      (error: unknown) => callback(error as Error, null),
    );
  }
}

/**
 * Idle connections that are kept, of all endpoints: the first ones are closed where there are more. Files that
 * are open are bounded by it and the attempts under way, whatever the number of endpoints.
 */
const IDLE_AT_MOST = 512;
/** Of one endpoint: as many as it is likely to need at once. */
const IDLE_OF_ONE = 32;

/** An idle connection may be used again for the next event; most receivers keep theirs for 5 s. */
const KEEP_ALIVE_MS = 4_000;

/** The limits of connections that wait for a request. */
interface IdleLimits {
  readonly idleAtMost: number;
  readonly idleMs: number;
}

/** The address of a request, and its owner. */
export interface Target {
  /** The endpoint. No two of them share a connection, though they be at the same address. */
  readonly owner: string;
  readonly url: string;
  readonly rules: TargetRules;
}

/**
 * The connections of a process to targets that others gave it. One carries one request at a time, and is
 * opened where the endpoint has no idle one, so that nothing waits for a socket: how many attempts there are
 * at once is decided elsewhere (rules/fairness 1). Under other rules the same endpoint has other connections.
 */
export class EgressConnections {
  readonly #strict: Connect;
  readonly #lax: Connect;
  readonly #watch = new ProxyWatch();
  readonly #open = new Set<Connection>();
  /** Those that wait for a request, in the order in which they were given back. */
  readonly #idle = new Set<Connection>();

  constructor(
    options: EgressOptions = {},
    private readonly limits: IdleLimits = { idleAtMost: IDLE_AT_MOST, idleMs: KEEP_ALIVE_MS },
  ) {
    this.#strict = createConnect({ allowInsecure: false }, options, this.#watch);
    this.#lax = createConnect({ allowInsecure: true }, options, this.#watch);
  }

  /** How many there are, idle or not. */
  get size(): number {
    return this.#open.size;
  }

  /** @param isNew whether it must not be one that was used before. */
  take({ owner, url, rules }: Target, signal: AbortSignal, isNew = false): Connection {
    const { origin } = new URL(url);
    const { allowInsecure } = rules;
    const key = `${allowInsecure ? 'lax' : 'strict'} ${owner} ${origin}`;
    const idle = isNew ? undefined : this.#listIdle(key).at(-1);
    if (idle !== undefined) this.#idle.delete(idle);
    const connection = idle ?? this.#add(key, origin, allowInsecure);
    connection.begin(signal);
    return connection;
  }

  /** An answer came over it: so the connection is no proxy's that reaches nothing. */
  answered(connection: Connection): void {
    if (connection.isProxied) this.#watch.succeeded();
  }

  /** For a connection over which a whole answer came. One that was closed meanwhile is not kept. */
  giveBack(connection: Connection): void {
    if (!this.#open.has(connection)) return;
    connection.isUsed = true;
    this.#idle.add(connection);
    const own = this.#listIdle(connection.key);
    const [first] = own.length > IDLE_OF_ONE ? own : this.#idle;
    const isOneTooMany = own.length > IDLE_OF_ONE || this.#idle.size > this.limits.idleAtMost;
    if (isOneTooMany && first !== undefined) this.drop(first);
  }

  /** Closes a connection, whatever is under way. */
  drop(connection: Connection): void {
    if (!this.#open.delete(connection)) return;
    this.#idle.delete(connection);
    void connection.destroy();
  }

  async close(): Promise<void> {
    const open = [...this.#open];
    this.#open.clear();
    this.#idle.clear();
    await Promise.all(open.map((connection) => connection.destroy()));
  }

  #add(key: string, origin: string, allowInsecure: boolean): Connection {
    const connect = allowInsecure ? this.#lax : this.#strict;
    const onClosed = (closed: Connection) => this.drop(closed);
    const { idleMs } = this.limits;
    const connection = new Connection({ key, origin, connect, idleMs, onClosed });
    this.#open.add(connection);
    return connection;
  }

  #listIdle(key: string): readonly Connection[] {
    return [...this.#idle].filter((connection) => connection.key === key);
  }
}
