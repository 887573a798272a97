import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { proveInclusion, verifyInclusion } from '#seal';
import { CHECKPOINTS_STREAM, runSealer, sealNow, SealingKeys, SealReader } from '#sealing';
import { createLogger, SettingRefused, sleep } from '#platform';
import { eventually } from '../../support/eventually.js';
import { added } from '../event-store/support.js';
import {
  makeKey,
  readLeafHashes,
  readSealedHashes,
  SealedLedger,
  verifyCheckpoints,
} from './support.js';

const log = createLogger('test', { level: 'silent' });
let ledger: SealedLedger;
beforeEach(async () => {
  ledger = await SealedLedger.start();
});
afterEach(async () => {
  await ledger.remove();
});

describe('sealing', () => {
  it('gives each event one leaf, in the order of the store, across tiles and checkpoints', async () => {
    for (const [round, count] of [700, 1, 30, 1_000].entries()) {
      await ledger.add(count, `r${round}n`);
      await sealNow(ledger.sealing);
    }
    expect(await readSealedHashes(ledger.store)).toEqual(await readLeafHashes(ledger.store));
    expect(await verifyCheckpoints(ledger.store, ledger.key)).toEqual([700, 701, 731, 1_731]);
    expect(await sealNow(ledger.sealing)).toMatchObject({ checkpoint: { size: 1_731 } });
  });

  it('seals an empty ledger with nothing', async () => {
    expect(await sealNow(ledger.sealing)).toBeUndefined();
  });

  it('is proved by hashes of tiles and tail at the size of a checkpoint of before', async () => {
    const reader = new SealReader(ledger.store);
    for (const round of [1, 2, 3]) {
      await ledger.add(300, `r${round}n`);
      await sealNow(ledger.sealing);
    }
    const leaves = (await readLeafHashes(ledger.store)).map((hex) => Buffer.from(hex, 'hex'));
    const found = [await reader.find(300), await reader.find(900)];
    for (const checkpoint of found) {
      const { size = 0, note = '' } = checkpoint?.checkpoint ?? {};
      const root = Buffer.from(note.split('\n')[2] ?? '', 'base64');
      if (checkpoint === undefined) throw new Error('there is no such checkpoint');
      for (const index of [0, 255, 256, size - 1]) {
        const proof = await proveInclusion(index, size, reader.readHashes(checkpoint));
        const leaf = { index, hash: leaves[index] ?? Buffer.alloc(0) };
        expect(verifyInclusion(leaf, { size, root }, proof)).toBe(true);
      }
    }
    expect(await reader.find(299)).toBeUndefined();
  });

  it('loses nothing where a player is erased between a tile and its checkpoint', async () => {
    await ledger.add(5_200, 'n', 20);
    await ledger.add(10, 'erased', 10);
    const before = await sealNow(ledger.sealing);
    await ledger.store.truncations.truncate('counter-erased0', 10);
    await ledger.store.append('counter-more', 'no_stream', [added()]);
    const after = await sealNow(ledger.sealing);
    expect([before?.checkpoint.size, after?.checkpoint.size]).toEqual([5_210, 5_211]);
    expect(await verifyCheckpoints(ledger.store, ledger.key)).toEqual([5_210, 5_211]);
    expect(new Set(await readSealedHashes(ledger.store)).size).toBe(5_211);
  });

  it('refuses another key, and goes over to it by a checkpoint that both sign', async () => {
    await ledger.add(3, 'n');
    await sealNow(ledger.sealing);
    const key = makeKey();
    const with2 = (texts: ConstructorParameters<typeof SealingKeys>[0]) =>
      sealNow({ ...ledger.sealing, keys: new SealingKeys(texts) });
    await expect(with2({ key })).rejects.toThrow(SettingRefused);
    await expect(with2({ key: makeKey(), formerKey: makeKey() })).rejects.toThrow(/another key/);
    const rotated = await with2({ key, formerKey: ledger.key });
    expect(rotated?.checkpoint.note.match(/^— /gm)).toHaveLength(2);
    expect(await verifyCheckpoints(ledger.store, ledger.key)).toEqual([3, 3]);
    await ledger.add(1, 'm');
    expect((await with2({ key }))?.checkpoint.note.match(/^— /gm)).toHaveLength(1);
    await expect(sealNow(ledger.sealing)).rejects.toThrow(SettingRefused);
  });

  it('names a restore in its origin, once a witness may hold a checkpoint of events that are lost', async () => {
    await ledger.add(3, 'n');
    const first = await sealNow(ledger.sealing);
    const { storeId } = await ledger.store.namespaces.require();
    expect(first?.checkpoint.note.split('\n')[0]).toBe(`test/ledger/${storeId}`);
    for (const name of ['a', 'b']) {
      await ledger.store.namespaces.noteRestore();
      await ledger.add(1, name);
      const origin = (await sealNow(ledger.sealing))?.checkpoint.note.split('\n')[0];
      expect(origin).toMatch(new RegExp(`^test/ledger/${storeId}/restored/[0-9a-f]{8}$`));
    }
  });
});

describe('a running sealer', () => {
  const start = (intervalMs: number) => {
    const end = new AbortController();
    let leaves = 0;
    const onFigures = (figures: { readonly leaves: number }) => ({ leaves } = figures);
    const running = { ...ledger.sealing, intervalMs, log, signal: end.signal, onFigures };
    const ended = runSealer(running);
    const stop = async () => {
      end.abort();
      await ended;
    };
    return { stop, ended, leaves: () => leaves };
  };
  const countSeals = () => ledger.store.headRevision(CHECKPOINTS_STREAM);

  it('makes no checkpoint of an idle ledger, in twenty intervals', async () => {
    const sealer = start(20);
    await ledger.add(2, 'n');
    await eventually(async () => (await countSeals()) === 0, { what: 'a checkpoint' });
    await sleep(20 * 20);
    expect(await countSeals()).toBe(0);
    await ledger.add(1, 'm');
    await eventually(async () => (await countSeals()) === 1, { what: 'another checkpoint' });
    await sealer.stop();
  });

  it('writes one log with another one that runs at the same time', async () => {
    const sealers = [start(5), start(7), start(11)];
    for (let round = 0; round < 20; round += 1) {
      await ledger.add(150, `r${round}n`);
      if (round % 5 === 0) await sealNow(ledger.sealing);
    }
    await eventually(() => sealers.every(({ leaves }) => leaves() === 3_000), { what: 'leaves' });
    await Promise.all(sealers.map(({ stop }) => stop()));
    await sealNow(ledger.sealing);
    expect(await readSealedHashes(ledger.store)).toEqual(await readLeafHashes(ledger.store));
    const sizes = await verifyCheckpoints(ledger.store, ledger.key);
    expect(sizes.at(-1)).toBe(3_000);
    expect(sizes).toEqual([...new Set(sizes)].sort((a, b) => a - b));
  });

  it('goes on when its store was away', async () => {
    const sealer = start(20);
    await ledger.add(2, 'n');
    await eventually(async () => (await countSeals()) === 0, { what: 'a checkpoint' });
    await ledger.server.stop();
    await ledger.server.start();
    await ledger.add(2, 'm');
    await eventually(async () => (await countSeals()) === 1, { what: 'another checkpoint' });
    await sealer.stop();
    expect(await readSealedHashes(ledger.store)).toEqual(await readLeafHashes(ledger.store));
  });
});
