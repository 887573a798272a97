import { Fault, newUuid } from '#platform';
import { loadScript, type Redis, type Script } from '#redis';

const acquireLease = loadScript(new URL('../lua/acquire-lease-2.lua', import.meta.url));
const renewLease = loadScript(new URL('../lua/renew-lease-2.lua', import.meta.url));
const releaseLease = loadScript(new URL('../lua/release-lease-2.lua', import.meta.url));
const beat = loadScript(new URL('../lua/beat-1.lua', import.meta.url));

/** The proof that a process may change a partition's data: each of its acts names it. */
export interface Fence {
  /** The key at which the token that counts stands. */
  readonly key: string;
  /** `<epoch> <counter> <random>`: new with every empty Redis, with every holder, and in any case. */
  readonly token: string;
}

/** A partition that this process may work on, until another one takes it over (decision 0009). */
export interface Lease {
  readonly partition: number;
  readonly fence: Fence;
  /**
   * No other process is given it before this, by `performance.now()`: later with every renewal. It counts
   * from when Redis was asked, and goes on while a process is stopped.
   */
  lastsUntilMs: number;
}

/** The keys of the leases of one purpose. */
export interface LeaseKeys {
  /** The living members. It lies in no partition. */
  readonly members: string;
  /** The prefix of the keys of a partition: its hash tag puts them all on one slot. */
  prefix(partition: number): string;
}

export interface LeaseOptions {
  readonly redis: Redis;
  readonly keys: LeaseKeys;
  /** No other process of this purpose that runs has this name. */
  readonly holder: string;
  /** A holder that was not heard of for so long may be replaced. */
  readonly lastsMs: number;
}

/** The leases of one purpose, as one process asks for them. Calls throw Fault when Redis is out of reach. */
export class Leases {
  constructor(private readonly options: LeaseOptions) {}

  /** Says that this process is alive. @returns how many are, this one among them. */
  async beat(): Promise<number> {
    return this.#beat(this.options.lastsMs);
  }

  /** Says that this process is alive no more. */
  async leave(): Promise<void> {
    await this.#beat(0);
  }

  /** Undefined when another one holds it. */
  async acquire(partition: number): Promise<Lease | undefined> {
    const { redis, holder, lastsMs } = this.options;
    const [fence, lease] = this.#keysFor(partition);
    const lastsUntilMs = performance.now() + lastsMs;
    const token = await acquireLease(redis, [fence, lease], [holder, lastsMs, newUuid()]);
    if (typeof token !== 'string') return undefined;
    return { partition, fence: { key: fence, token }, lastsUntilMs };
  }

  /** @returns false when it has gone to another one. */
  async renew(lease: Lease): Promise<boolean> {
    const { redis, holder, lastsMs } = this.options;
    const lastsUntilMs = performance.now() + lastsMs;
    const args = [lease.fence.token, holder, lastsMs];
    const reply = await renewLease(redis, this.#keysFor(lease.partition), args);
    if (reply !== 'renewed') return false;
    lease.lastsUntilMs = lastsUntilMs;
    return true;
  }

  async release({ partition, fence: { token } }: Lease): Promise<void> {
    await releaseLease(this.options.redis, this.#keysFor(partition), [token]);
  }

  #keysFor(partition: number): [fence: string, lease: string] {
    const prefix = this.options.keys.prefix(partition);
    return [`${prefix}:fence`, `${prefix}:lease`];
  }

  async #beat(lastsMs: number): Promise<number> {
    const { redis, keys, holder } = this.options;
    return Number(await beat(redis, [keys.members], [holder, lastsMs]));
  }
}

/** Another process holds the partition, or Redis was emptied: nothing was changed. */
export class Fenced extends Fault {
  constructor({ key }: Fence) {
    super('conflict', `another process holds the partition of ${key}`, { retryable: true });
  }
}

/**
 * Runs a script that takes the fence as its first key and the token as its first argument, and that
 * answers "fenced" where the token that counts is another one.
 *
 * @throws Fenced; Fault of Redis.
 */
export async function runFenced(
  redis: Redis,
  fence: Fence,
  script: Script,
  { keys, args }: { readonly keys: readonly string[]; readonly args: readonly (string | number)[] },
): Promise<unknown> {
  const reply = await script(redis, [fence.key, ...keys], [fence.token, ...args]);
  if (reply === 'fenced') throw new Fenced(fence);
  return reply;
}
