import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatVerifierKey, readSigningKey } from '#seal';
import { KnownKeys, verifySeals } from '#seal-audit';
import { CHECKPOINTS_STREAM, sealNow, tileStream } from '#sealing';
import { added } from '../event-store/support.js';
import { erasePlayer } from './erasing.js';
import { holdAt, once } from './hooked-store.js';
import { readSealedHashes, SealedLedger } from './support.js';

let ledger: SealedLedger;
beforeEach(async () => {
  ledger = await SealedLedger.start();
  await register('early');
  await ledger.add(255, 'n');
  await register('late');
});
afterEach(() => ledger.remove());

const register = (id: string) =>
  ledger.store.append(`player-${id}`, 'no_stream', [added(1, 'player.registered.v1')]);
const seal = (store = ledger.store) => sealNow({ ...ledger.sealing, store });
const countSeals = async () => [
  await ledger.store.headRevision(tileStream(0)),
  await ledger.store.headRevision(CHECKPOINTS_STREAM),
];
const verify = async () => {
  const { storeId } = await ledger.store.namespaces.require();
  const vkey = formatVerifierKey(readSigningKey(`test/ledger/${storeId}`, ledger.key));
  return verifySeals({ store: ledger.store, keys: new KnownKeys([vkey]) });
};
const ofPlayer = (id: string) => expect.stringMatching(new RegExp(`^player-..\\.${id}$`)) as string;

describe('an erasure between a tile and its checkpoint', () => {
  it('loses no leaf: the tile and the tail of the checkpoint have those of the erased events', async () => {
    const erase = async () => {
      expect(await countSeals()).toEqual([0, -1]);
      await erasePlayer(ledger.store, 'early', 1);
      await erasePlayer(ledger.store, 'late', 1);
    };
    const store = holdAt(ledger.store, { beforeAppend: once(CHECKPOINTS_STREAM, erase) });
    expect((await seal(store))?.checkpoint.size).toBe(257);
    expect((await seal())?.checkpoint.size).toBe(259);
    expect(await verify()).toMatchObject({
      ...{ size: 259, events: 257, findings: [], unattested: 0, erasedLeaves: 2 },
      erased: [
        { stream: ofPlayer('early'), leaves: 1 },
        { stream: ofPlayer('late'), leaves: 1 },
      ],
    });
  });

  it('loses no sealed leaf where the sealer died in that moment, and what was not sealed has none', async () => {
    const eraseAndDie = async () => {
      await erasePlayer(ledger.store, 'early', 1);
      await erasePlayer(ledger.store, 'late', 1);
      throw new Error('killed');
    };
    const store = holdAt(ledger.store, { beforeAppend: once(CHECKPOINTS_STREAM, eraseAndDie) });
    await expect(seal(store)).rejects.toThrow('killed');
    expect(await countSeals()).toEqual([0, -1]);
    expect((await seal())?.checkpoint.size).toBe(258);
    const leaves = await readSealedHashes(ledger.store);
    expect(new Set(leaves).size).toBe(258);
    expect(await verify()).toMatchObject({
      ...{ events: 257, findings: [], unattested: 0, erasedLeaves: 1 },
      erased: expect.arrayContaining([{ stream: ofPlayer('early'), leaves: 1 }]) as unknown,
    });
  });
});
