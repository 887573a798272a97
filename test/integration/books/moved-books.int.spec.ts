import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BookFile, BooksKeeper, BooksLog, MoneyPoster } from '#books';
import type { LedgerStore } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { sealNow } from '#sealing';
import { StoreCopy } from '../../../apps/cli/src/store/copy/store-copy.js';
import { RestartableStore } from '../event-store/support.js';
import { readLeafHashes, SealedLedger } from '../sealing/support.js';
import { Purchases } from './purchases.js';

const observer = { begins: () => undefined, wrote: () => undefined };

let ledger: SealedLedger;
let place: RestartableStore;
let target: LedgerStore;
let folder: string;
beforeEach(async () => {
  ledger = await SealedLedger.start();
  place = await RestartableStore.start();
  target = connectEventStore(place.connectionString);
  folder = mkdtempSync(path.join(tmpdir(), 'subledger-books-'));
});
afterEach(async () => {
  await target.dispose();
  await place.remove();
  await ledger.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function keep(store: LedgerStore, name: string) {
  const makePoster = (at: string) => new MoneyPoster(at);
  const at = path.join(folder, name);
  const keeper = new BooksKeeper({ store, folder: at, makePoster, intervalMs: 0 });
  const figures = await keeper.keep();
  keeper.end();
  return figures;
}

async function readFiles(store: LedgerStore): Promise<readonly BookFile[]> {
  const { files } = await new BooksLog(store).read();
  return [...files.keys()].sort().flatMap((name) => files.get(name) ?? []);
}

/** As `store copy --switch` moves it. */
async function move(): Promise<void> {
  const identity = await ledger.store.namespaces.require();
  const stores = { source: ledger.store, target };
  const copy = await StoreCopy.begin(stores, identity, observer);
  await copy.catchUp(new AbortController().signal);
  await target.namespaces.moveIn(identity);
}

it('books have the same rows and hashes behind a move, also where no file came along', async () => {
  const purchases = new Purchases(ledger.store);
  const names = Array.from({ length: 60 }, (_, at) => `${at % 2 === 0 ? 'a' : 'z'}${at * 37}`);
  for (const name of names) await purchases.buyMonth('app_1', name);
  // So that the files hold recognitions.
  await purchases.closeJanuary('app_1', (await sealNow(ledger.sealing))!.checkpoint.size);
  await keep(ledger.store, 'first');
  for (const name of names) {
    await purchases.refund('app_1', `pay_${name}`, '1000', '2026-02-02T10:00:00.000Z');
  }
  await sealNow(ledger.sealing);
  await keep(ledger.store, 'first');
  await sealNow(ledger.sealing);
  const files = await readFiles(ledger.store);
  expect(files.map(({ period, rows }) => [period, rows])).toEqual([
    ['2026-01', 5 * names.length],
    ['2026-02', expect.any(Number)],
  ]);

  await move();
  // The copy has the events in another order: otherwise this would show little.
  expect(await readLeafHashes(target)).not.toEqual(await readLeafHashes(ledger.store));
  await keep(target, 'second');
  expect(await readFiles(target)).toEqual(files);
  await keep(target, 'first');
  expect(await readFiles(target)).toEqual(files);

  await new Purchases(target).buyMonth('app_1', 'behind');
  await sealNow({ ...ledger.sealing, store: target });
  expect(await keep(target, 'second')).toMatchObject({ files: 3 });
});
