import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { EventStoreDBClient } from '@eventstore/db-client';
import { BooksKeeper, MoneyPoster, workInProcess } from '#books';
import type { LedgerStore } from '#event-store';
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
  /** Of this process's processor, for each event: other work on the machine hardly changes it. */
  readonly micros: { readonly read: number; readonly sealed: number; readonly posted: number };
  /** A later start, which posts all of it again and writes the files of one more subscription. */
  readonly startSeconds: number;
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
  const keys = new SealingKeys({ key: newSigningKey() });
  const seal = () => sealNow({ store, keys, originHost: 'bench.example' });
  const read = await time(async () => {
    for await (const { event } of raw.readAll()) if (event) events += 1;
  });
  const sealed = await time(seal);
  const keep = () => keepBooks(store, folder);
  const posted = await time(keep);
  const residentMb = readResidentMb(process.pid);
  await writeHistories(store, 1);
  await seal();
  const started = await time(keep);
  const micros = (spent: Spent) => Math.round((spent.processorSeconds * 1_000_000) / events);
  return {
    value: events / (sealed.seconds + posted.seconds),
    limit: events / read.seconds,
    seconds: { read: read.seconds, sealed: sealed.seconds, posted: posted.seconds },
    micros: { read: micros(read), sealed: micros(sealed), posted: micros(posted) },
    ...{ startSeconds: started.seconds, residentMb },
  };
}

/** As a bookkeeper that was just started. */
async function keepBooks(store: LedgerStore, folder: string): Promise<void> {
  const makePoster = (place: string) => new MoneyPoster(place);
  const work = workInProcess(BOOKS_FILES);
  const keeper = new BooksKeeper({ store, folder, makePoster, work, intervalMs: 0 });
  const { rows } = await keeper.keep();
  if (rows === 0) throw new Error('the books are empty');
  keeper.end();
}

interface Spent {
  readonly seconds: number;
  readonly processorSeconds: number;
}

async function time(act: () => Promise<unknown>): Promise<Spent> {
  const [startedAtMs, before] = [performance.now(), process.cpuUsage()];
  await act();
  const { user, system } = process.cpuUsage(before);
  const seconds = Number(((performance.now() - startedAtMs) / 1_000).toFixed(2));
  return { seconds, processorSeconds: (user + system) / 1_000_000 };
}
