import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatVerifierKey, readSigningKey } from '#seal';
import { KnownKeys, verifySeals } from '#seal-audit';
import { CHECKPOINTS_STREAM, runSealer, sealNow, tileStream } from '#sealing';
import { createLogger } from '#platform';
import { added } from '../event-store/support.js';
import { erasePlayer } from './erasing.js';
import { holdAt, type Moments, once } from './hooked-store.js';
import { readLeafHashes, readSealedHashes, SealedLedger, verifyCheckpoints } from './support.js';

const TILES = tileStream(0);

let ledger: SealedLedger;
beforeEach(async () => {
  ledger = await SealedLedger.start();
  const registered = ['player.registered.v1', 'player.key_resealed.v1', 'player.key_resealed.v1'];
  const events = registered.map((type) => added(1, type));
  await ledger.store.append('player-gone', 'no_stream', events);
});
afterEach(() => ledger.remove());

const seal = (moments: Moments = {}) =>
  sealNow({ ...ledger.sealing, store: holdAt(ledger.store, moments) });
const sealMore = async (count: number) => {
  await ledger.add(count, 'more');
  await seal();
};
/** Three events go and one comes, before another sealer has sealed any. */
const eraseAndSeal = async () => {
  await erasePlayer(ledger.store, 'gone', 3);
  await seal();
};
const dieBefore = (streamName: string): Moments => ({
  beforeAppend: once(streamName, () => Promise.reject(new Error('killed'))),
});
const countSeals = async () => [
  await ledger.store.headRevision(TILES),
  await ledger.store.headRevision(CHECKPOINTS_STREAM),
];

describe('a sealer that was held while another one sealed', () => {
  const expectOneLog = async (events: number) => {
    expect(await readSealedHashes(ledger.store)).toEqual(await readLeafHashes(ledger.store));
    expect((await verifyCheckpoints(ledger.store, ledger.key)).at(-1)).toBe(events);
  };

  it.each([TILES, CHECKPOINTS_STREAM])(
    'writes one log with it: at its append to %s',
    async (at) => {
      await ledger.add(300, 'n');
      const last = await seal({ beforeAppend: once(at, () => sealMore(300)) });
      expect(last?.checkpoint.size).toBe(603);
      await expectOneLog(603);
    },
  );

  it('begins again where tiles with other leaves came before its own', async () => {
    await ledger.add(300, 'n');
    const eraseAndSealMore = async () => {
      await erasePlayer(ledger.store, 'gone', 3);
      await sealMore(300);
    };
    const last = await seal({ beforeAppend: once(TILES, eraseAndSealMore) });
    expect(last?.checkpoint.size).toBe(601);
    await expectOneLog(601);
  });

  it('begins again where a checkpoint came before its tile, and its unsealed events are gone', async () => {
    await ledger.add(253, 'n');
    const last = await seal({ beforeLook: once(CHECKPOINTS_STREAM, eraseAndSeal) });
    expect(last?.checkpoint.size).toBe(254);
    await expectOneLog(254);
  });

  it('begins again where tiles came before its checkpoint, and its unsealed events are gone', async () => {
    await ledger.add(100, 'n');
    const tileAlone = async () => {
      await erasePlayer(ledger.store, 'gone', 3);
      await ledger.add(200, 'more');
      await expect(seal(dieBefore(CHECKPOINTS_STREAM))).rejects.toThrow('killed');
    };
    const last = await seal({ beforeLook: onceRead(TILES, tileAlone) });
    expect(last?.checkpoint.size).toBe(301);
    await expectOneLog(301);
  });

  /** The second look at a stream: the first one is that of the beginning. */
  function onceRead(streamName: string, act: () => Promise<unknown>) {
    let looks = 0;
    return async (name: string) => {
      if (name !== streamName) return;
      looks += 1;
      if (looks === 2) await act();
    };
  }
});

describe('two sealers beside a scavenge of unsealed events', () => {
  it('may contradict each other: the next start tells it, and seals nothing', async () => {
    await ledger.add(253, 'n');
    const held = seal({ beforeAppend: once(TILES, eraseAndSeal) });
    const told =
      /contradict each other: tile 0 has other leaves than the checkpoint of size 254\. Nothing was sealed/;
    await expect(held).rejects.toThrow(told);
    const before = await countSeals();
    expect(before).toEqual([0, 0]);
    await ledger.add(10, 'later');
    await expect(seal()).rejects.toThrow(told);
    const { signal } = new AbortController();
    const log = createLogger('test', { level: 'silent' });
    const running = runSealer({ ...ledger.sealing, intervalMs: 20, signal, log });
    await expect(running).rejects.toThrow(told);
    expect(await countSeals()).toEqual(before);
    const { storeId } = await ledger.store.namespaces.require();
    const vkey = formatVerifierKey(readSigningKey(`test/ledger/${storeId}`, ledger.key));
    const verified = await verifySeals({ store: ledger.store, keys: new KnownKeys([vkey]) });
    expect(verified?.counts).toEqual({ tile: 1 });
    expect(verified?.findings[0]?.text).toContain('The tile 0 of level 0 has other leaves');
  });
});
