import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DuckDb, sqlText } from '#books';
import { backendClient, operatorClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { buy, createPlan } from '../support/scenario.js';
import { listProcesses } from '../support/processes.js';
import {
  type RunningStandalone,
  runToEnd,
  startStandalone,
  temporaryDataDir,
} from '../support/standalone.js';

const folder = temporaryDataDir();
let standalone: RunningStandalone;

beforeAll(async () => {
  const often = { SEAL_INTERVAL_SECONDS: '1', BOOKS_INTERVAL_SECONDS: '1' };
  standalone = await startStandalone(folder.dataDir, often);
});
afterAll(async () => {
  await standalone.stop();
  folder.remove();
});

/** Whole files, each in its period's folder; none where the bookkeeper has not made one yet. */
const listFiles = (): string[] => {
  const books = path.join(folder.dataDir, 'books');
  if (!existsSync(books)) return [];
  const names = readdirSync(books, { recursive: true }).map(String);
  return names.filter((name) => /^environment=.*\.parquet$/.test(name));
};

it('a purchase is in the books of a standalone behind the next checkpoint, balanced', async () => {
  const { demo } = standalone;
  await createPlan(operatorClient(demo), demo.appId, { code: 'gold' });
  const { subscriptionId } = await buy(backendClient(demo), { plan: 'gold', player: 'p1' });
  await eventually(() => listFiles().length > 0, { what: 'a file of the books', limitMs: 60_000 });
  const files = listFiles().map((name) => sqlText(path.join(folder.dataDir, 'books', name)));
  const sums = await DuckDb.with(folder.dataDir, (duckDb) =>
    duckDb.all(
      'SELECT subscription, account, sum(debit_minor)::BIGINT AS debit, sum(credit_minor)::BIGINT AS credit ' +
        `FROM read_parquet([${files.join(', ')}], union_by_name = true) GROUP BY ALL ORDER BY account`,
    ),
  );
  expect(sums).toEqual([
    {
      ...{ subscription: subscriptionId, account: 'assets:gateway-clearing' },
      ...{ debit: 999n, credit: null },
    },
    {
      ...{ subscription: subscriptionId, account: 'liabilities:deferred-subscriptions' },
      ...{ debit: null, credit: 999n },
    },
  ]);
  // DuckDB is gone with the process that had work for it.
  await eventually(
    async () => (await listProcesses(folder.dataDir, 'books-files.js')).length === 0,
    {
      what: 'the end of DuckDB',
    },
  );
});

it('books in a folder that readers of Parquet take for a pattern are refused', async () => {
  const { code, stderr } = await runToEnd({ BOOKS_DIR: '/tmp/books[1]' });
  expect(code).toBe(2);
  expect(stderr).toContain('BOOKS_DIR must name a folder whose path has none of * ? [');
});
