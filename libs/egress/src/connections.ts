import type { StopSignal } from '#platform';
import type { TargetRules } from './address.js';
import { Connection } from './connection.js';
import { type Connect, createConnect, type EgressOptions } from './connector.js';
import { readPlace } from './known-targets.js';
import { ProxyWatch } from './proxy-watch.js';

/**
 * Idle connections that are kept, of all endpoints: the first ones are closed where there are more. Files that
 * are open are bounded by it and the attempts under way, whatever the number of endpoints.
 */
const IDLE_AT_MOST = 512;
/** Of one endpoint: as many as it is likely to need at once. */
const IDLE_OF_ONE = 32;

/** An idle connection may be used again for the next event; most receivers keep theirs for 5 s. */
const KEEP_ALIVE_MS = 4_000;

/** What is kept of connections that wait for a request. */
interface IdleLimits {
  readonly idleAtMost: number;
  readonly idleMs: number;
}

/** Where a request goes, and on whose behalf. */
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
  /** By their keys, while they have a connection: no table is made anew with each request (docs/performance.md, "Reads"). */
  readonly #pools = new Map<string, Pool>();
  /** How many wait for a request, of all endpoints. */
  #idle = 0;
  #turns = 0;

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
  take({ owner, url, rules }: Target, signal: StopSignal, isNew = false): Connection {
    const { origin } = readPlace(url);
    const { allowInsecure } = rules;
    const key = `${allowInsecure ? 'lax' : 'strict'} ${owner} ${origin}`;
    const idle = isNew ? undefined : this.#pools.get(key)?.idle.pop();
    if (idle !== undefined) this.#idle -= 1;
    const connection = idle?.connection ?? this.#add(key, origin, allowInsecure);
    connection.begin(signal);
    return connection;
  }

  /** Over it an answer came: what carries one is no proxy that connects to nothing. */
  answered(connection: Connection): void {
    if (connection.isProxied) this.#watch.succeeded();
  }

  /** For a connection over which a whole answer came. One that was closed meanwhile is not kept. */
  giveBack(connection: Connection): void {
    const idle = this.#open.has(connection) ? this.#pools.get(connection.key)?.idle : undefined;
    if (idle === undefined) return;
    connection.isUsed = true;
    this.#turns += 1;
    idle.push({ connection, turn: this.#turns });
    this.#idle += 1;
    if (idle.length > IDLE_OF_ONE) this.drop(idle[0]?.connection ?? connection);
    else if (this.#idle > this.limits.idleAtMost) this.#dropFirst();
  }

  /** Closes a connection, whatever is under way. */
  drop(connection: Connection): void {
    if (!this.#open.delete(connection)) return;
    const pool = this.#pools.get(connection.key);
    if (pool !== undefined) this.#leave(pool, connection);
    void connection.destroy();
  }

  async close(): Promise<void> {
    const open = [...this.#open];
    this.#open.clear();
    this.#pools.clear();
    this.#idle = 0;
    await Promise.all(open.map((connection) => connection.destroy()));
  }

  #add(key: string, origin: string, allowInsecure: boolean): Connection {
    const connect = allowInsecure ? this.#lax : this.#strict;
    const onClosed = (closed: Connection) => this.drop(closed);
    const { idleMs } = this.limits;
    const connection = new Connection({ key, origin, connect, idleMs, onClosed });
    this.#open.add(connection);
    const pool = this.#pools.get(key) ?? { idle: [], open: 0 };
    this.#pools.set(key, pool);
    pool.open += 1;
    return connection;
  }

  #leave(pool: Pool, connection: Connection): void {
    const at = pool.idle.findIndex((idle) => idle.connection === connection);
    if (at !== -1) {
      pool.idle.splice(at, 1);
      this.#idle -= 1;
    }
    pool.open -= 1;
    if (pool.open === 0) this.#pools.delete(connection.key);
  }

  /** The one that waits longest: the first of one of the pools, of which there are as many as connections at most. */
  #dropFirst(): void {
    let first: Idle | undefined;
    for (const { idle } of this.#pools.values()) {
      const [oldest] = idle;
      if (oldest !== undefined && (first === undefined || oldest.turn < first.turn)) first = oldest;
    }
    if (first !== undefined) this.drop(first.connection);
  }
}

/** A connection that waits for a request. */
interface Idle {
  readonly connection: Connection;
  /** By when it was given back. */
  readonly turn: number;
}

/** The connections of one key. */
interface Pool {
  /** In the order in which they were given back. */
  readonly idle: Idle[];
  /** How many there are, idle or not. */
  open: number;
}
