import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BooksFigures, BooksKeeper, BooksLog, MoneyPoster, runBooks } from '#books';
import { createLogger } from '#platform';
import { sealNow } from '#sealing';
import { eventually } from '../../support/eventually.js';
import { SealedLedger } from '../sealing/support.js';
import { Purchases } from './purchases.js';

const OFTEN_MS = 50;

let ledger: SealedLedger;
let folder: string;
let end: AbortController;
let running: Promise<unknown> = Promise.resolve();
let figures: BooksFigures[];
let logged: string[];
beforeEach(async () => {
  ledger = await SealedLedger.start();
  folder = mkdtempSync(path.join(tmpdir(), 'subledger-books-'));
  end = new AbortController();
  figures = [];
  logged = [];
});
afterEach(async () => {
  end.abort();
  await running;
  await ledger.remove();
  rmSync(folder, { recursive: true, force: true });
});

const place = () => path.join(folder, 'books');
const makePoster = (at: string) => new MoneyPoster(at);
const seal = () => sealNow(ledger.sealing);

/** @returns the error with which it ends by itself. */
function run(intervalMs = OFTEN_MS): Promise<unknown> {
  const { store } = ledger;
  const { signal } = end;
  const log = createLogger('test', { destination: { write: (line) => void logged.push(line) } });
  const onFigures = (each: BooksFigures) => void figures.push(each);
  const books = { store, folder: place(), makePoster, intervalMs, signal, log, onFigures };
  const ended = runBooks(books).catch((error: unknown) => error);
  running = ended;
  return ended;
}

const untilBooked = (size: number) =>
  eventually(async () => (await new BooksLog(ledger.store).read()).size >= size, {
    what: `books of ${size} leaves`,
  });

describe('a bookkeeper', () => {
  it('writes the books at its start, and those of later checkpoints', async () => {
    const purchases = new Purchases(ledger.store);
    await purchases.buyMonth('app_1', 'a');
    await seal();
    void run();
    await untilBooked(2);
    await purchases.buyMonth('app_1', 'b');
    await seal();
    await untilBooked(4);
    await eventually(() => figures.at(-1)?.rows === 6, { what: 'the figures of both' });
    expect(figures[0]).toMatchObject({ size: 2, rows: 3, files: 1 });
  });

  it('writes nothing before the interval is over, and stops at the signal', async () => {
    const purchases = new Purchases(ledger.store);
    await purchases.buyMonth('app_1', 'a');
    await seal();
    const keeper = new BooksKeeper({
      ...{ store: ledger.store, folder: place(), makePoster, intervalMs: 0 },
    });
    await keeper.keep();
    keeper.end();
    await purchases.buyMonth('app_1', 'b');
    await seal();
    const ended = run(3_600_000);
    await eventually(() => figures.length > 0, { what: 'the first figures' });
    expect(figures).toMatchObject([{ size: 2, files: 1 }]);
    end.abort();
    expect(await ended).toBeUndefined();
    expect((await new BooksLog(ledger.store).read()).size).toBe(2);
  });

  it('tries again where the books cannot be written, and goes on when they can', async () => {
    await new Purchases(ledger.store).buyMonth('app_1', 'a');
    await seal();
    // Something else is in the place of the folder.
    writeFileSync(place(), '');
    void run();
    const isLogged = () =>
      logged.some((line) => line.includes('the books wait for another attempt'));
    await eventually(isLogged, { what: 'a warning' });
    expect(figures).toEqual([]);
    rmSync(place());
    await untilBooked(2);
  });

  it('ends where the folder has the books of another ledger', async () => {
    mkdirSync(place());
    writeFileSync(path.join(place(), 'ledger'), 'another\n');
    await new Purchases(ledger.store).buyMonth('app_1', 'a');
    await seal();
    expect(String(await run())).toMatch(/where the books of another ledger are \(another\)/);
  });
});
