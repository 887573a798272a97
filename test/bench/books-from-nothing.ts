import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { EventStoreDBClient } from '@eventstore/db-client';
import { BooksKeeper, MoneyPoster, workInProcess } from '#books';
import { sealNow, SealingKeys } from '#sealing';
import { newSigningKey } from './bench-key.js';
import { progress } from './benchmark.js';
import { writeHistories } from './histories.js';
import { readResidentMb } from './program-memory.js';
import { Stage } from './stage.js';

/** The program that writes the files, as bookkeepers start it. */
const BOOKS_FILES = path.resolve(process.env['BUILD_DIR'] ?? 'dist', 'programs/books-files.js');

/** Rates in events a second. */
export interface NothingRound {
  readonly value: number;
  readonly limit: number;
  readonly seconds: { readonly read: number; readonly sealed: number; readonly posted: number };
  readonly residentMb: number;
}

/** Seals a ledger and writes its books, both from its first event, beside a reading of its events by the official client. */
export function measureFromNothing(subscriptions: number): Promise<NothingRound> {
  return Stage.with(async (stage) => {
    progress(`writing the histories of ${subscriptions} subscriptions`);
    await writeHistories(stage.client, subscriptions);
    const raw = EventStoreDBClient.connectionString(stage.eventStoreUrl);
    stage.atEnd(() => raw.dispose());
    const folder = await mkdtemp(path.join(tmpdir(), 'subledger-bench-books-'));
    stage.atEnd(() => rm(folder, { recursive: true, force: true }));
    return compare(stage, raw, folder);
  });
}

async function compare(
  { client: store }: Stage,
  raw: EventStoreDBClient,
  folder: string,
): Promise<NothingRound> {
  let events = 0;
  const read = await time(async () => {
    for await (const { event } of raw.readAll()) if (event) events += 1;
  });
  const sealed = await time(async () => {
    const keys = new SealingKeys({ key: newSigningKey() });
    await sealNow({ store, keys, originHost: 'bench.example' });
  });
  const posted = await time(async () => {
    const makePoster = (place: string) => new MoneyPoster(place);
    const work = workInProcess(BOOKS_FILES);
    const keeper = new BooksKeeper({ store, folder, makePoster, work, intervalMs: 0 });
    const { rows } = await keeper.keep();
    if (rows === 0) throw new Error('the books are empty');
    keeper.end();
  });
  return {
    ...{ value: events / (sealed + posted), limit: events / read },
    ...{ seconds: { read, sealed, posted }, residentMb: readResidentMb(process.pid) },
  };
}

/** @returns seconds. */
async function time(act: () => Promise<void>): Promise<number> {
  const startedAtMs = performance.now();
  await act();
  return Number(((performance.now() - startedAtMs) / 1_000).toFixed(2));
}
