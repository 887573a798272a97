import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { BooksReader, DuckDb, sqlText } from '#books';
import { type PeriodBooks as Books, PeriodBooks, printReport, writeReportFolder } from '#finance';
import { type FoundCheckpoint, sealNow, SealingKeys } from '#sealing';
import { WrittenLedger } from '../support/written-ledger.js';
import { newSigningKey } from './bench-key.js';
import { median, progress } from './benchmark.js';
import { type BooksSet, PERIOD, writeSet } from './books-set.js';
import { EVENTS_A_SUBSCRIPTION, writeHistories } from './histories.js';
import { Stage } from './stage.js';
import { measureCommand } from './whole-command.js';

const PROGRAM = path.resolve(process.env['BUILD_DIR'] ?? 'dist', 'programs/subledger.js');
/** Leaves for the entries: a real ledger has some entries for each event of money. */
const ENTRIES_A_LEAF = 25;
/** hledger takes minutes for more. */
const JOURNAL_SHARE = 10;
const ROUNDS = 5;
const COPIES = 3;

/** Each report beside the raw part that limits it, on books of so many entries of one app. */
export function measureReports(entries: number): Promise<Readonly<Record<string, unknown>>> {
  return Stage.with(async (stage) => {
    const scene = await setScene(stage, entries);
    return {
      entries,
      trialBalance: await compareBalance(scene),
      parquet: await compareParquet(scene),
      hledger: await compareHledger(stage, scene),
    };
  });
}

interface Scene extends BooksSet {
  readonly stage: Stage;
  readonly upTo: FoundCheckpoint;
  /** For files of the measurement. */
  readonly scratch: string;
  readonly large: string;
  readonly small: string;
}

async function setScene(stage: Stage, entries: number): Promise<Scene> {
  const { client: store, masterKey } = stage;
  const written = new WrittenLedger(store, masterKey);
  const [large, small] = [await written.createApp(), await written.createApp()];
  const leaves = Math.ceil(entries / ENTRIES_A_LEAF);
  progress(`sealing ${leaves} events, and making ${entries} entries`);
  await writeHistories(store, Math.ceil(leaves / EVENTS_A_SUBSCRIPTION));
  const keys = new SealingKeys({ key: newSigningKey() });
  const upTo = await sealNow({ store, keys, originHost: 'bench.example' });
  if (upTo === undefined) throw new Error('nothing was sealed');
  const [folder, scratch] = [await newFolder(stage), await newFolder(stage)];
  const apps = [
    { app: large.appId, entries },
    { app: small.appId, entries: Math.floor(entries / JOURNAL_SHARE) },
  ];
  const set = await writeSet(store, folder, apps, upTo.checkpoint.size);
  return { ...set, stage, upTo, scratch, large: large.appId, small: small.appId };
}

async function newFolder(stage: Stage): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'subledger-bench-books-'));
  stage.atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The statement of a person with DuckDB alone. */
function selectBalance({ file, large }: Scene): string {
  return (
    `SELECT account, currency, sum(debit_minor) AS debit, sum(credit_minor) AS credit FROM read_parquet(${sqlText(file)}, ` +
    "union_by_name = true, hive_partitioning = true, hive_types = {'environment': VARCHAR, 'period': VARCHAR}) " +
    `WHERE app = ${sqlText(large)} AND period = '${PERIOD}' GROUP BY ALL ORDER BY ALL`
  );
}

async function compareBalance(scene: Scene) {
  const ours = () =>
    withReport(scene, scene.large, 'trial-balance', (books, options) =>
      readAll(printReport(books, options)),
    );
  const statement = selectBalance(scene);
  const onOpen = await DuckDb.with(scene.scratch, async (duckDb) => {
    await giveMemory(duckDb);
    return takeTurns(ours, () => duckDb.all(statement), ROUNDS);
  });
  // As a program of a person does it: a report has an instance of its own, too.
  const opening = () => DuckDb.with(scene.scratch, (duckDb) => duckDb.all(statement));
  return { ...onOpen, withOpening: await takeTurns(ours, opening, ROUNDS) };
}

/** In one process, after a first turn of each. */
async function takeTurns(
  ours: () => Promise<unknown>,
  raw: () => Promise<unknown>,
  rounds: number,
) {
  const turns: { readonly ours: Spent; readonly raw: Spent }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const turn = { ours: await time(ours), raw: await time(raw) };
    progress(`${turn.ours.ms} ms, and ${turn.raw.ms} ms by DuckDB alone`);
    if (round > 0) turns.push(turn);
  }
  const ratio = (figure: keyof Spent) =>
    Number(median(turns.map((turn) => turn.ours[figure] / turn.raw[figure])).toFixed(2));
  return {
    ms: median(turns.map((turn) => turn.ours.ms)),
    rawMs: median(turns.map((turn) => turn.raw.ms)),
    timesRaw: ratio('ms'),
    // Other work on the machine hardly changes it.
    timesRawProcessor: ratio('processorMs'),
  };
}

async function compareParquet(scene: Scene) {
  const { scratch, file, large } = scene;
  let turn = 0;
  const next = () => path.join(scratch, `copy-${(turn += 1)}`);
  const ours = () =>
    withReport(scene, large, 'journal', async (books, options) => {
      const folder = next();
      const command = 'finance journal';
      await writeReportFolder(books, { ...options, format: 'parquet', folder, command });
      await rm(folder, { recursive: true });
    });
  return DuckDb.with(scratch, async (duckDb) => {
    await giveMemory(duckDb);
    const raw = async () => {
      const place = next();
      const rows = `SELECT * FROM read_parquet(${sqlText(file)}) WHERE app = ${sqlText(large)}`;
      await duckDb.run(`COPY (${rows}) TO ${sqlText(place)} (FORMAT parquet)`);
      await rm(place);
    };
    return takeTurns(ours, raw, COPIES);
  });
}

/** Both as whole commands: ours on all entries, and hledger on the exported tenth of them. */
async function compareHledger({ eventStoreUrl }: Stage, scene: Scene) {
  const { folder, scratch, large, small, apps } = scene;
  const env = { EVENTSTOREDB_URL: eventStoreUrl, BOOKS_DIR: folder };
  const ask = (report: string, app: string, ...more: string[]) => {
    const args = [PROGRAM, 'finance', report, '--app', app, '--period', PERIOD, ...more];
    return measureCommand(process.execPath, args, { env, out: path.join(scratch, 'journal') });
  };
  const balance = await ask('trial-balance', large);
  const exported = await ask('journal', small, '--format', 'hledger');
  const journal = path.join(scratch, 'journal');
  const args = ['-f', journal, 'balance', '--flat', '--no-total'];
  const checked = await measureCommand('hledger', args);
  // It need not check the balances that stand in the journal.
  const unchecked = await measureCommand('hledger', [...args, '--ignore-assertions']);
  const theirs = Math.min(checked.seconds, unchecked.seconds);
  const [all = 0, some = 0] = [large, small].map((app) => countEntries(apps, app));
  return {
    ...{ command: balance, exported, checked, unchecked },
    version: execFileSync('hledger', ['--version'], { encoding: 'utf8' }).trim(),
    timesFaster: Number((theirs / some / (balance.seconds / all)).toFixed(0)),
  };
}

function countEntries(apps: BooksSet['apps'], app: string): number {
  return apps.find((each) => each.app === app)?.entries ?? 0;
}

type Printing = Parameters<typeof printReport>[1];

async function withReport<Result>(
  { stage, folder, upTo }: Scene,
  app: string,
  report: string,
  use: (books: Books, options: Printing) => Promise<Result>,
): Promise<Result> {
  const reading = { store: stage.client, folder, app, environment: 'test', upTo } as const;
  return BooksReader.with(reading, async (reader) => {
    const scope = { period: PERIOD, effectiveUntil: `${PERIOD}-31` };
    const books = await PeriodBooks.open(reader, scope);
    const { size, note } = upTo.checkpoint;
    const checkpoint = { size, root: note, origin: '', at: reader.asOf };
    const head = {
      ...{ report, app, environment: 'test', rules: 'rules.v1' },
      ...scope,
      checkpoint,
    };
    return use(books, { head, format: 'json', zone: 'UTC', table: () => '' } as Printing);
  });
}

async function readAll(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

/** As much as DuckDB takes by itself. */
function giveMemory(duckDb: DuckDb): Promise<void> {
  return duckDb.run("SET memory_limit = '8GB'");
}

interface Spent {
  readonly ms: number;
  readonly processorMs: number;
}

async function time(act: () => Promise<unknown>): Promise<Spent> {
  const [startedAtMs, before] = [performance.now(), process.cpuUsage()];
  await act();
  const { user, system } = process.cpuUsage(before);
  const ms = Number((performance.now() - startedAtMs).toFixed(0));
  return { ms, processorMs: (user + system) / 1_000 };
}
