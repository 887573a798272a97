import { afterEach, describe, expect, it } from 'vitest';
import { connectEventStore } from '#event-store/connect';
import { sealNow } from '#sealing';
import { StoreCopy } from '../../../apps/cli/src/store/copy/store-copy.js';
import { RestartableStore } from '../event-store/support.js';
import {
  addEvents,
  readLeafHashes,
  readSealedHashes,
  SealedLedger,
  verifyCheckpoints,
} from './support.js';

const observer = { begins: () => undefined, wrote: () => undefined };
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function startTarget() {
  const server = await RestartableStore.start();
  const store = connectEventStore(server.connectionString);
  ends.push(() => store.dispose().then(() => server.remove()));
  return store;
}

describe('a sealed ledger that was copied into another store', () => {
  it('goes on there with the same log, and no event has a second leaf', async () => {
    const ledger = await SealedLedger.start();
    ends.push(() => ledger.remove());
    await ledger.add(1_500, 'single', 1);
    await ledger.add(2_000, 'n');
    await sealNow(ledger.sealing);
    // The first event of a stream is gone, so that revisions are others in the copy.
    await ledger.store.truncations.truncate('counter-n1900', 90);
    const target = await startTarget();
    const identity = await ledger.store.namespaces.require();
    const stores = { source: ledger.store, target };
    const copy = await StoreCopy.begin(stores, identity, observer);
    await copy.catchUp(new AbortController().signal);
    await target.namespaces.moveIn(identity);
    const before = await readSealedHashes(ledger.store);
    expect(await readSealedHashes(target)).toEqual(before);
    expect((await sealNow({ ...ledger.sealing, store: target }))?.checkpoint.size).toBe(3_500);
    await addEvents(target, 600, 'behind');
    const last = await sealNow({ ...ledger.sealing, store: target });
    expect(last?.checkpoint.size).toBe(4_100);
    const { note } = last?.checkpoint ?? { note: '' };
    expect(note.split('\n')[0]).toBe(`test/ledger/${identity.storeId}`);
    const sealed = await readSealedHashes(target);
    expect(sealed.slice(0, 3_500)).toEqual(before);
    expect(new Set(sealed).size).toBe(4_100);
    const stored = await readLeafHashes(target);
    expect(stored.filter((hash) => !sealed.includes(hash))).toEqual([]);
    expect(await verifyCheckpoints(target, ledger.key)).toEqual([3_500, 4_100]);
  });
});
