import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sealNow, tileStream } from '#sealing';
import { added } from '../event-store/support.js';
import { readLog, WrittenLog } from './altered-ledger.js';
import { SealedLedger } from './support.js';

let ledger: SealedLedger;
beforeEach(async () => {
  ledger = await SealedLedger.start();
});
afterEach(() => ledger.remove());

describe('a sealer', () => {
  it('writes a tile of roots that a killed one has left out', async () => {
    const TILES = 256;
    for (let from = 0; from < TILES; from += 16) {
      const run = Array.from({ length: 16 }, (_, at) => makeTile(from + at));
      await ledger.store.append(tileStream(0), 'any', run);
    }
    expect(await ledger.store.headRevision(tileStream(1))).toBe(-1);
    await ledger.add(10, 'n');
    expect((await sealNow(ledger.sealing))?.checkpoint.size).toBe(TILES * 256 + 10);
    expect(await ledger.store.headRevision(tileStream(1))).toBe(0);
  });

  it('tells of a log that lacks tiles, and seals nothing', async () => {
    await ledger.add(300, 'n');
    await sealNow(ledger.sealing);
    const stored = ledger.store.names.toStored(tileStream(0));
    const log = (await readLog(ledger.store)).filter(({ streamName }) => streamName !== stored);
    const broken = await WrittenLog.write(log);
    try {
      const sealing = sealNow({ ...ledger.sealing, store: broken.store });
      await expect(sealing).rejects.toThrow(
        /300 leaves, and tiles are missing.*Nothing was sealed/,
      );
      expect(await broken.store.headRevision(tileStream(0))).toBe(-1);
    } finally {
      await broken.remove();
    }
  });
});

/** A tile of leaves that no event has: as after an erasure of all of them. */
function makeTile(at: number) {
  const hashes = Buffer.alloc(256 * 32, at).toString('base64');
  const last = { stream: 'payment-00.pay_gone', revision: at, eventId: `event-${at}` };
  return { ...added(1, 'seal.tile.v1'), data: { hashes, last } };
}
