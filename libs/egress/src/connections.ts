import type { StopSignal } from '#platform';
import type { TargetRules } from './address.js';
import { Connection } from './connection.js';
import { type Connect, createConnect, type EgressOptions } from './connector.js';
import { readPlace } from './known-targets.js';

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
  readonly #open = new Set<Connection>();
  /** Those that wait for a request, in the order in which they were given back; of all, and by their keys. */
  readonly #idle = new Set<Connection>();
  readonly #idleByKey = new Map<string, Connection[]>();

  constructor(
    options: EgressOptions = {},
    private readonly limits: IdleLimits = { idleAtMost: IDLE_AT_MOST, idleMs: KEEP_ALIVE_MS },
  ) {
    this.#strict = createConnect({ allowInsecure: false }, options);
    this.#lax = createConnect({ allowInsecure: true }, options);
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
    const connect = allowInsecure ? this.#lax : this.#strict;
    const idle = isNew ? undefined : this.#idleByKey.get(key)?.at(-1);
    const { idleMs } = this.limits;
    const connection =
      idle ?? new Connection({ key, origin, connect, idleMs, onClosed: (it) => this.drop(it) });
    this.#leaveIdle(connection);
    this.#open.add(connection);
    connection.begin(signal);
    return connection;
  }

  /** For a connection over which a whole answer came. One that was closed meanwhile is not kept. */
  giveBack(connection: Connection): void {
    if (!this.#open.has(connection)) return;
    connection.isUsed = true;
    const ofOne = this.#idleByKey.get(connection.key) ?? [];
    this.#idleByKey.set(connection.key, ofOne);
    ofOne.push(connection);
    this.#idle.add(connection);
    if (ofOne.length > IDLE_OF_ONE) this.#dropFirst(ofOne);
    if (this.#idle.size > this.limits.idleAtMost) this.#dropFirst(this.#idle);
  }

  /** Closes a connection, whatever is under way. */
  drop(connection: Connection): void {
    this.#leaveIdle(connection);
    if (this.#open.delete(connection)) void connection.destroy();
  }

  async close(): Promise<void> {
    const open = [...this.#open];
    for (const connection of open) this.#leaveIdle(connection);
    this.#open.clear();
    await Promise.all(open.map((connection) => connection.destroy()));
  }

  #dropFirst(connections: Iterable<Connection>): void {
    const [first] = connections;
    if (first !== undefined) this.drop(first);
  }

  #leaveIdle(connection: Connection): void {
    if (!this.#idle.delete(connection)) return;
    const others = this.#idleByKey.get(connection.key)?.filter((each) => each !== connection) ?? [];
    if (others.length > 0) this.#idleByKey.set(connection.key, others);
    else this.#idleByKey.delete(connection.key);
  }
}
