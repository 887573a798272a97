import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectEventStore } from '#event-store/connect';
import {
  LedgerMovedAway,
  type LedgerStore,
  type NamespaceIdentity,
  requireSameLedger,
  toMoved,
} from '#event-store';
import { newUuid } from '#platform';
import { backupStream, DELIVERY_CHECKPOINT_RECORDED, toPages, readBackup } from '#worker-state';
import type { CopiedStores } from '../../../apps/cli/src/store/copy/copy-windows.js';
import { CopyLog } from '../../../apps/cli/src/store/copy/copy-log.js';
import { findSwitched, switchBack } from '../../../apps/cli/src/store/copy/moved-ledger.js';
import { StoreCopy } from '../../../apps/cli/src/store/copy/store-copy.js';
import {
  closeSource,
  openTarget,
  requireWorkedOn,
} from '../../../apps/cli/src/store/copy/switch-over.js';
import { added, RestartableStore } from '../event-store/support.js';

const PARTITIONS = 2;
const IN_FLIGHT = 3;
const { signal } = new AbortController();
const observer = { begins: () => undefined, wrote: () => undefined };

const stores: RestartableStore[] = [];
const ledgers: LedgerStore[] = [];
let source: LedgerStore;
let identity: NamespaceIdentity;

async function startLedger(): Promise<LedgerStore> {
  const store = await RestartableStore.start();
  stores.push(store);
  const ledger = connectEventStore(store.connectionString);
  ledgers.push(ledger);
  return ledger;
}

/** A worker has stopped here: it is at the head, and names its deliveries in flight. */
async function backUp(partition: number): Promise<void> {
  const inFlight: { readonly member: string }[] = [];
  for (let n = 0; n < IN_FLIGHT; n += 1) {
    const streamName = `counter-${partition}${n}`;
    const { revision, position } = await source.append(streamName, 'no_stream', [added()]);
    const member = `${position} end_1 ${streamName} ${revision} subscription.created`;
    inFlight.push({ member });
  }
  const position = await source.headPosition();
  const [record] = toPages({
    ...{ position, inFlight, parked: [], exhausted: [], cursors: [] },
  });
  const event = { ...added(), id: newUuid(), type: DELIVERY_CHECKPOINT_RECORDED, data: record };
  await source.append(backupStream(identity.layoutId, partition), 'no_stream', [event]);
}

beforeAll(async () => {
  source = await startLedger();
  identity = await source.namespaces.open(PARTITIONS);
  for (let partition = 0; partition < PARTITIONS; partition += 1) await backUp(partition);
});
afterAll(async () => {
  for (const ledger of ledgers) await ledger.dispose();
  for (const store of stores) await store.remove();
});

const ACTS = new Set<PropertyKey>(['moveAway', 'moveIn', 'takeBack']);

/** Both stores, where the program is killed at one of its appends, and at each act that it has not come to before. */
function killedAt(append: number, reached: Set<PropertyKey>, target: LedgerStore) {
  let left = append;
  const isKilledAt = (name: PropertyKey) => {
    if (name === 'append') return (left -= 1) < 0;
    return ACTS.has(name) && !reached.has(name) && reached.add(name).has(name);
  };
  const mortal = <T extends object>(place: T): T =>
    new Proxy(place, {
      get: (_, name) => {
        const found = Reflect.get(place, name) as unknown;
        if (name === 'namespaces') return mortal(found as object);
        if (typeof found !== 'function') return found;
        return (...args: unknown[]) => {
          if (isKilledAt(name)) return Promise.reject(new Error('killed'));
          return found.apply(place, args) as unknown;
        };
      },
    });
  return { source: mortal(source), target: mortal(target) };
}

/** In which of both stores the ledger is open. */
async function openIn(target: LedgerStore): Promise<string[]> {
  const [here, there] = [await source.namespaces.list(), await target.namespaces.list()];
  return [...(here.length > 0 ? ['source'] : []), ...(there.length > 0 ? ['target'] : [])];
}

/** Kills it at each of its writes in turn, and begins it again. @returns the open ledger after each time. */
async function repeat<T>(target: LedgerStore, act: (stores: CopiedStores) => Promise<T>) {
  const openAfter: string[][] = [];
  const reached = new Set<PropertyKey>();
  for (let kills = 0; ; kills += 1) {
    try {
      return { done: await act(killedAt(kills, reached, target)), openAfter };
    } catch (error) {
      expect(error).toEqual(new Error('killed'));
      openAfter.push(await openIn(target));
    }
  }
}

/**
 * The backups that workers find in the target, by partition: their positions, and the streams of deliveries in flight.
 */
async function readBackups(target: LedgerStore, { layoutId }: NamespaceIdentity) {
  const found = [];
  for (let partition = 0; partition < PARTITIONS; partition += 1) {
    const { backup } = await readBackup(target, backupStream(layoutId, partition));
    const { position = '', inFlight = [] } = backup ?? {};
    const members = inFlight.map(({ member }) => member.split(' '));
    expect(members.every(([at = '']) => at !== '' && at <= position)).toBe(true);
    // A copy keeps the order within a bucket, and not between two of them (decision 0014).
    const byStream = ([, left = '']: string[], [, right = '']: string[]) =>
      left < right ? -1 : Number(left > right);
    found.push(members.map(([, ...others]) => others).sort(byStream));
  }
  return found;
}

async function switchOver(stores: CopiedStores, ledger: NamespaceIdentity) {
  await requireWorkedOn(stores, ledger);
  await closeSource(stores, ledger);
  return openTarget(stores, ledger);
}
const switchTo = async (stores: CopiedStores) => switchOver(stores, await findSwitched(stores));

describe('a switch that is killed at any of its writes', () => {
  let target: LedgerStore;
  let moved: NamespaceIdentity;

  it('leaves no two ledgers, and the next one makes the target the same ledger', async () => {
    target = await startLedger();
    await (await StoreCopy.begin({ source, target }, identity, observer)).catchUp(signal);
    const { done, openAfter } = await repeat(target, switchTo);
    moved = done;
    const closedAt = openAfter.findIndex((open) => open.length === 0);
    expect(closedAt).toBeGreaterThan(0);
    expect(openAfter).toEqual(openAfter.map((_, at) => (at < closedAt ? ['source'] : [])));
    expect(await openIn(target)).toEqual(['target']);
    expect(moved).toMatchObject({ storeId: identity.storeId, partitions: PARTITIONS });
    expect(await readBackups(target, moved)).toEqual(await readBackups(source, identity));
    // The limits and the records of both partitions.
    expect(openAfter.length).toBeGreaterThan(PARTITIONS);
  });

  it('and is done closes the source for all programs, with a sentence that says where the ledger is', async () => {
    const sentence = `The ledger "sl" was moved from this event store to ${target.address}: `;
    const { namespaces } = source;
    await expect(namespaces.require()).rejects.toThrow(sentence);
    await expect(namespaces.open(1)).rejects.toThrow(sentence);
    await expect(namespaces.repartition(7)).rejects.toThrow(sentence);
    expect(target.address).toMatch(/^127\.0\.0\.1:\d+$/);
    await expect(requireSameLedger(source, identity)).rejects.toBeInstanceOf(LedgerMovedAway);
  });

  it('is gone on with into no other target', async () => {
    const other = await startLedger();
    const refusal = `The ledger was moved to ${target.address}, and --to names another store`;
    await expect(findSwitched({ source, target: other })).rejects.toThrow(refusal);
    await expect(switchBack({ source, target: other })).rejects.toThrow(refusal);
    // The same copy by another address, such as that of another node.
    const renamed = { ...target, address: 'another:2113' };
    expect(await findSwitched({ source, target: renamed })).toEqual(identity);
  });

  it('is taken back, with no two ledgers wherever that is killed, and is another division then', async () => {
    const { done, openAfter } = await repeat(target, switchBack);
    expect(openAfter).toEqual([['target'], []]);
    expect(await openIn(target)).toEqual(['source']);
    const { storeId, layoutId } = identity;
    expect(done).toMatchObject({ storeId, before: { layoutId }, partitions: PARTITIONS });
    expect(toMoved(done).layoutId).not.toBe(moved.layoutId);
    await expect(target.namespaces.require()).rejects.toThrow(`was moved from this event store to`);
    await expect(StoreCopy.begin({ source, target }, done, observer)).rejects.toThrow(
      'empty the target before another copy',
    );
    await expect(switchBack({ source, target })).rejects.toThrow('has not been switched');
  });

  it('is not taken back where a program has written in the target', async () => {
    target = await startLedger();
    const again = await source.namespaces.require();
    await (await StoreCopy.begin({ source, target }, again, observer)).catchUp(signal);
    await switchOver({ source, target }, { ...again, before: null });
    await target.append('counter-late', 'no_stream', [added()]);
    await expect(switchBack({ source, target })).rejects.toThrow('Programs have written');
    expect(await openIn(target)).toEqual(['target']);
  });
});

it('is refused where a worker has not worked since the ledger was divided anew', async () => {
  const target = await startLedger();
  await (await StoreCopy.begin({ source, target }, identity, observer)).catchUp(signal);
  const dividedAnew = { ...identity, layoutId: 'another', before: identity };
  await expect(switchOver({ source, target }, dividedAnew)).rejects.toThrow(
    'No worker has worked on partition 0',
  );
  expect(await target.namespaces.list()).toEqual([]);
});

it('ends the one of two copies into a target that did not write last how far it is', async () => {
  const target = await startLedger();
  const [one, other] = [await CopyLog.open(target, identity), await CopyLog.open(target, identity)];
  const position = await source.headPosition();
  await one.advance(position);
  await expect(other.advance(position)).rejects.toThrow('Another copy of this namespace');
  expect((await CopyLog.open(target, identity)).sourcePosition).toBe(position);
});
