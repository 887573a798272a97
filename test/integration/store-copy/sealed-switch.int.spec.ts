import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LedgerStore } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { parseCheckpoint, parseNote, proveConsistency, verifyConsistency } from '#seal';
import { sealNow, SealReader } from '#sealing';
import { compareStores } from '../../../apps/cli/src/store/copy/compare-stores.js';
import { toReport } from '../../../apps/cli/src/store/copy/copy-report.js';
import { switchLedger } from '../../../apps/cli/src/store/copy/ledger-switch.js';
import { findSwitched } from '../../../apps/cli/src/store/copy/moved-ledger.js';
import { StoreCopy } from '../../../apps/cli/src/store/copy/store-copy.js';
import { switchStreams } from '../../../apps/cli/src/store/copy/switch-over.js';
import { added, RestartableStore } from '../event-store/support.js';
import {
  readLeafHashes,
  readSealedHashes,
  SealedLedger,
  verifyCheckpoints,
} from '../sealing/support.js';

const observer = { begins: () => undefined, wrote: () => undefined };
const { signal } = new AbortController();

let source: SealedLedger;
let place: RestartableStore;
let target: LedgerStore;
beforeEach(async () => {
  source = await SealedLedger.start();
  place = await RestartableStore.start();
  target = connectEventStore(place.connectionString);
});
afterEach(async () => {
  await target.dispose();
  await place.remove();
  await source.remove();
});

/** Moves the ledger of the source, as `store copy --switch` does. */
async function switchOver(): Promise<boolean> {
  const stores = { source: source.store, target };
  const identity = await findSwitched(stores);
  const copy = await StoreCopy.begin(stores, identity, observer);
  const leftOut = switchStreams(identity);
  const { isSwitched } = await switchLedger({
    ...{ stores, copy, pause: async () => undefined },
    compare: async (upTo) => {
      const { namespace } = identity;
      const found = await compareStores({ ...stores, namespace, upTo, signal, leftOut });
      return toReport(identity, 0, found);
    },
  });
  return isSwitched;
}

/** Single events of many streams, so that a copy, which keeps the order of buckets alone, brings them in another one. */
async function interleave(store: LedgerStore, count: number, tag: string): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const bucket = ((at * 37) % 256).toString(16).padStart(2, '0');
    await store.append(`counter-${bucket}.${tag}`, 'any', [added()]);
  }
}

const readRoot = (note: string) => parseCheckpoint(parseNote(note).text);

describe('the switch of a sealed ledger', () => {
  it('is refused until all of it is sealed, and goes on where nothing was', async () => {
    await interleave(source.store, 300, 'a');
    await sealNow(source.sealing);
    await source.store.append('counter-07.late', 'no_stream', [added()]);
    await expect(switchOver()).rejects.toThrow(/sealed up to 300 leaves, and counter-07.late@0/);
    await expect(switchOver()).rejects.toThrow(/"subledger seal checkpoint"/);
    expect(await target.namespaces.find()).toBeUndefined();
    expect((await source.store.namespaces.find())?.movedTo).toBeUndefined();
    await sealNow(source.sealing);
    expect(await switchOver()).toBe(true);
  });

  it('takes a ledger without any checkpoint as it is', async () => {
    await interleave(source.store, 3, 'a');
    expect(await switchOver()).toBe(true);
  });

  it('lets the target go on from the last tile, with no event sealed twice', async () => {
    await interleave(source.store, 1_100, 'a');
    await sealNow(source.sealing);
    await interleave(source.store, 100, 'b');
    const before = await sealNow(source.sealing);
    expect(await switchOver()).toBe(true);
    const copied = await readLeafHashes(target);
    // The copy has them in another order: otherwise this would show nothing.
    expect(copied.slice(0, 1_200)).not.toEqual(await readLeafHashes(source.store));
    const sealing = { ...source.sealing, store: target };
    expect((await sealNow(sealing))?.checkpoint).toEqual(before?.checkpoint);
    await interleave(target, 300, 'c');
    const after = await sealNow(sealing);
    expect(await verifyCheckpoints(target, source.key)).toEqual([1_100, 1_200, 1_500]);
    const sealed = await readSealedHashes(target);
    expect(new Set(sealed).size).toBe(sealed.length);
    expect([...sealed].sort()).toEqual([...(await readLeafHashes(target))].sort());
    const [held, now] = [before, after].map((each) => readRoot(each?.checkpoint.note ?? ''));
    if (held === undefined || now === undefined || after === undefined) throw new Error('no note');
    expect(now.origin).toBe(held.origin);
    const proof = await proveConsistency(1_200, 1_500, new SealReader(target).readHashes(after));
    expect(verifyConsistency(held, now, proof)).toBe(true);
  }, 120_000);
});

describe('a restored backup', () => {
  it('goes on as another log, which does not grow from a checkpoint that a witness holds', async () => {
    await interleave(source.store, 300, 'a');
    const kept = await sealNow(source.sealing);
    const folder = path.join(await mkdtemp(path.join(tmpdir(), 'backup-')), 'store');
    await source.server.stop();
    await cp(source.server.dataDir, folder, { recursive: true });
    await source.server.start();
    await interleave(source.store, 100, 'lost');
    const held = readRoot((await sealNow(source.sealing))?.checkpoint.note ?? '');
    const restored = new RestartableStore(folder, false);
    await restored.start();
    const store = connectEventStore(restored.connectionString);
    try {
      await store.namespaces.noteRestore();
      await interleave(store, 200, 'other');
      const last = await sealNow({ ...source.sealing, store });
      const now = readRoot(last?.checkpoint.note ?? '');
      expect(now.origin).toMatch(/\/restored\/[0-9a-f]{8}$/);
      if (last === undefined || kept === undefined) throw new Error('nothing is sealed');
      const reader = new SealReader(store);
      const prove = async (from: { size: number; root: Buffer }) => {
        const proof = await proveConsistency(from.size, now.size, reader.readHashes(last));
        return verifyConsistency(from, now, proof);
      };
      expect([held.size, now.size]).toEqual([400, 500]);
      expect(await prove(readRoot(kept.checkpoint.note))).toBe(true);
      expect(await prove(held)).toBe(false);
    } finally {
      await store.dispose();
      await restored.remove();
    }
  });
});
