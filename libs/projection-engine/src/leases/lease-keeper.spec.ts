import { describe, expect, it } from 'vitest';
import { createLogger } from '#platform';
import { LeaseKeeper } from './lease-keeper.js';
import type { Lease } from './leases.js';

const silent = createLogger('test', { level: 'silent' });
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Leases that several keepers share, in memory. */
class Table {
  readonly holders = new Map<number, string>();
  readonly alive = new Set<string>();
  readonly unreachable = new Set<number>();
  #counter = 0;

  for(holder: string) {
    return {
      beat: async () => this.alive.add(holder).size,
      leave: async () => void this.alive.delete(holder),
      acquire: async (partition: number): Promise<Lease | undefined> => {
        if (this.holders.has(partition)) return undefined;
        this.holders.set(partition, holder);
        const fence = { key: `${partition}`, token: `e ${(this.#counter += 1)}` };
        return { partition, fence, lastsUntilMs: Infinity };
      },
      renew: async ({ partition }: Lease) => {
        if (this.unreachable.has(partition)) throw new Error('out of reach');
        return this.holders.get(partition) === holder;
      },
      release: async ({ partition }: Lease) => void this.holders.delete(partition),
    };
  }
}

function createKeeper(table: Table, holder: string, count: number) {
  const given: number[][] = [];
  let wait = Promise.resolve();
  const worker = {
    workOn: async (leases: readonly Lease[]) => {
      await wait;
      given.push(leases.map(({ partition }) => partition).sort((a, b) => a - b));
    },
  };
  const leases = table.for(holder);
  const keeper = new LeaseKeeper({ leases, count, worker, everyMs: 1, log: silent });
  const holdUp = () => {
    let letGo: () => void = () => undefined;
    wait = new Promise((resolve) => (letGo = resolve));
    return () => letGo();
  };
  return { keeper, given, holdUp };
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('a keeper of leases', () => {
  it('takes all partitions when it is alone, and says so once', async () => {
    const { keeper, given } = createKeeper(new Table(), 'a', 16);
    await keeper.look();
    await keeper.look();
    await settled();
    expect(given).toEqual([numbers(16)]);
  });

  it.each([2, 3, 5, 20])('shares them with others until each of %i has its share', async (many) => {
    const table = new Table();
    const keepers = numbers(many).map((n) => createKeeper(table, `k${n}`, 16));
    for (let look = 0; look < 4; look += 1) {
      for (const { keeper } of keepers) {
        await keeper.look();
        await settled();
      }
    }
    const share = Math.ceil(16 / many);
    for (const { keeper } of keepers) expect(keeper.held.length).toBeLessThanOrEqual(share);
    const held = keepers.flatMap(({ keeper }) => keeper.held.map(({ partition }) => partition));
    expect(held.sort((a, b) => a - b)).toEqual(numbers(16));
  });

  it('gives one back only when the work on it has ended', async () => {
    const table = new Table();
    const first = createKeeper(table, 'a', 2);
    await first.keeper.look();
    await settled();
    table.alive.add('b');
    const letGo = first.holdUp();
    await first.keeper.look();
    await settled();
    expect(first.keeper.held).toHaveLength(1);
    expect(table.holders.size).toBe(2);
    letGo();
    await settled();
    expect(table.holders.size).toBe(1);
    expect(first.given.at(-1)).toHaveLength(1);
  });

  it('changes nothing more while the worker has not come to an end with the change before', async () => {
    const table = new Table();
    const { keeper, given, holdUp } = createKeeper(table, 'a', 4);
    await keeper.look();
    await settled();
    const letGo = holdUp();
    table.alive.add('b');
    await keeper.look();
    for (const isThere of [false, true, false]) {
      if (isThere) table.alive.add('b');
      else table.alive.delete('b');
      await keeper.look();
    }
    letGo();
    await settled();
    expect(given.map(({ length }) => length)).toEqual([4, 2]);
    await keeper.look();
    await settled();
    expect(given.at(-1)).toEqual(numbers(4));
  });

  it('works no more on one that another took over, and does not give it back', async () => {
    const table = new Table();
    const { keeper, given } = createKeeper(table, 'a', 2);
    await keeper.look();
    await settled();
    table.alive.add('b');
    table.holders.set(1, 'b');
    await keeper.look();
    await settled();
    expect(given.at(-1)).toEqual([0]);
    expect(table.holders.get(1)).toBe('b');
  });

  it('gives all back when it stops, and is alive no more', async () => {
    const table = new Table();
    const { keeper } = createKeeper(table, 'a', 4);
    await keeper.look();
    await keeper.stop();
    expect([table.holders.size, table.alive.size, keeper.held]).toEqual([0, 0, []]);
  });

  it('goes on after an error of Redis', async () => {
    const table = new Table();
    const leases = table.for('a');
    let failures = 2;
    const beat = async () => {
      if ((failures -= 1) >= 0) throw new Error('away');
      return leases.beat();
    };
    const stop = new AbortController();
    const worker = { workOn: async () => stop.abort() };
    const options = { leases: { ...leases, beat }, count: 1, worker, everyMs: 1, log: silent };
    await new LeaseKeeper(options).run(stop.signal);
    expect(table.holders.get(0)).toBe('a');
  });

  it('keeps what it has also when it does not hear who is alive', async () => {
    const table = new Table();
    const leases = table.for('a');
    const renewed: number[] = [];
    let isAway = false;
    const beat = async () => {
      if (isAway) throw new Error('away');
      return leases.beat();
    };
    const renew = async (lease: Lease) => {
      renewed.push(lease.partition);
      return leases.renew(lease);
    };
    const worker = { workOn: async () => undefined };
    const all = { ...leases, beat, renew };
    const keeper = new LeaseKeeper({ leases: all, count: 1, worker, everyMs: 1, log: silent });
    await keeper.look();
    isAway = true;
    await expect(keeper.look()).rejects.toThrow('away');
    expect(renewed).toEqual([0]);
  });

  it('gives up what it lost also when it could not hear of the others', async () => {
    const table = new Table();
    const { keeper, given } = createKeeper(table, 'a', 3);
    await keeper.look();
    table.holders.set(1, 'b');
    table.unreachable.add(2);
    await expect(keeper.look()).rejects.toThrow('out of reach');
    await settled();
    expect(given.at(-1)).toEqual([0, 2]);
  });

  it('hands over what it gained before an error, and what it lost', async () => {
    const table = new Table();
    const leases = table.for('a');
    const given: number[][] = [];
    let isAway = true;
    const acquire = async (partition: number) => {
      if (isAway && partition === 2) throw new Error('away');
      return leases.acquire(partition);
    };
    const worker = {
      workOn: async (held: readonly Lease[]) => {
        given.push(held.map(({ partition }) => partition));
      },
    };
    const place = { leases: { ...leases, acquire }, count: 4, first: 0, worker, everyMs: 1 };
    const keeper = new LeaseKeeper({ ...place, log: silent });
    await expect(keeper.look()).rejects.toThrow('away');
    await settled();
    expect(given).toEqual([[0, 1]]);
    table.holders.set(0, 'b');
    await expect(keeper.look()).rejects.toThrow('away');
    await settled();
    expect(given.at(-1)).toEqual([1]);
    isAway = false;
    await keeper.look();
    await settled();
    expect(given.at(-1)).toEqual([1, 2, 3]);
  });
});
