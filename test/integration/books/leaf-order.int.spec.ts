import { afterEach, describe, expect, it } from 'vitest';
import type { LedgerStore } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { sealNow, SealReader } from '#sealing';
import { StoreCopy } from '../../../apps/cli/src/store/copy/store-copy.js';
import { LeafOrder } from '#books';
import { added, RestartableStore } from '../event-store/support.js';
import { SealedLedger } from '../sealing/support.js';

const observer = { begins: () => undefined, wrote: () => undefined };
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function startLedger(): Promise<SealedLedger> {
  const ledger = await SealedLedger.start();
  ends.push(() => ledger.remove());
  return ledger;
}

async function read(store: LedgerStore, from = 0, size?: number) {
  const reader = new SealReader(store);
  const upTo = size === undefined ? await reader.findLast() : await reader.find(size);
  if (upTo === undefined) throw new Error('there is no such checkpoint');
  const order = new LeafOrder(store, { from, upTo });
  const events = [];
  for await (const { leaf, bookedAt, event } of order.read()) {
    events.push({ leaf, bookedAt, id: event.id });
  }
  return { events, holes: order.holes };
}

describe('sealed events', () => {
  it('come in the order of their leaves, with the time of the first checkpoint that has them', async () => {
    const ledger = await startLedger();
    const { store } = ledger;
    await ledger.add(300, 'a');
    await sealNow(ledger.sealing);
    await ledger.add(500, 'b');
    await sealNow(ledger.sealing);
    await ledger.add(7, 'unsealed');
    const { events, holes } = await read(store);
    expect(events.map(({ leaf }) => leaf)).toEqual(Array.from({ length: 800 }, (_, at) => at));
    expect(holes).toBe(0);
    const times = [];
    for await (const seal of new SealReader(store).list()) times.push(seal.sealedAt);
    expect(new Set(events.slice(0, 300).map(({ bookedAt }) => bookedAt))).toEqual(
      new Set([times[0]]),
    );
    expect(new Set(events.slice(300).map(({ bookedAt }) => bookedAt))).toEqual(new Set([times[1]]));
    expect((await read(store, 290)).events).toEqual(events.slice(290));
    expect((await read(store, 600)).events).toEqual(events.slice(600));
    expect((await read(store, 0, 300)).events).toEqual(events.slice(0, 300));
    expect((await read(store, 800)).events).toEqual([]);
  });

  it('are left out and counted where they were erased', async () => {
    const ledger = await startLedger();
    await ledger.add(300, 'a', 1);
    await ledger.store.append('player-gone', 'any', [added(), added()]);
    await ledger.add(300, 'b', 1);
    await sealNow(ledger.sealing);
    const whole = await read(ledger.store);
    await ledger.store.truncations.truncate('player-gone', 1);
    await ledger.store.scavenges.start();
    await expect
      .poll(() => read(ledger.store).then(({ holes }) => holes), { timeout: 30_000 })
      .toBe(1);
    const { events } = await read(ledger.store);
    expect(events).toEqual(whole.events.filter(({ leaf }) => leaf !== 300));
  });

  it('come in the same order, at the same times, out of a copy', async () => {
    const ledger = await startLedger();
    await ledger.add(1_200, 'single', 1);
    await ledger.add(300, 'n');
    await sealNow(ledger.sealing);
    const server = await RestartableStore.start();
    const target = connectEventStore(server.connectionString);
    ends.push(() => target.dispose().then(() => server.remove()));
    const identity = await ledger.store.namespaces.require();
    const copy = await StoreCopy.begin({ source: ledger.store, target }, identity, observer);
    await copy.catchUp(new AbortController().signal);
    await target.namespaces.moveIn(identity);
    for (const from of [0, 600]) {
      const events = await read(target, from);
      expect(events.holes).toBe(0);
      expect(events).toEqual(await read(ledger.store, from));
    }
  });
});
