import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DuckDb, sqlText } from '#books';
import { subledger } from '../cli/subledger.js';
import { type ApiClient, backendClient, bearer, operatorClient } from '../support/api-client.js';
import { badFields, refusal } from '../support/errors.js';
import { eventually } from '../support/eventually.js';
import { listProcesses } from '../support/processes.js';
import { buy, createPlan, requireOk, seeing } from '../support/scenario.js';
import {
  type RunningStandalone,
  runToEnd,
  startStandalone,
  temporaryDataDir,
} from '../support/standalone.js';

const folder = temporaryDataDir();
let standalone: RunningStandalone;
let appId: string;
/** An operator of finance alone. */
let ann: ApiClient;
let base: string;
beforeAll(async () => {
  const often = { SEAL_INTERVAL_SECONDS: '1', BOOKS_INTERVAL_SECONDS: '1' };
  standalone = await startStandalone(folder.dataDir, often);
  appId = standalone.demo.appId;
  const operator = operatorClient(standalone.demo);
  await createPlan(operator, appId, { code: 'gold' });
  const body = { roles: ['finance'] };
  const issued = requireOk(await operator.post(`/manage/apps/${appId}/operator-tokens`, body));
  ann = bearer(standalone.baseUrl, String(issued.body['token']));
  base = `/manage/apps/${appId}/finance`;
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
  const { subscriptionId } = await buy(backendClient(standalone.demo), {
    ...{ plan: 'gold', player: 'booked' },
  });
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

const month = (instant: string | number) => new Date(instant).toISOString().slice(0, 7);
const first = month(Date.now());

async function finance(...args: readonly string[]) {
  const there = ['--data-dir', folder.dataDir, '--app', appId, '--json'];
  const { code, stdout, stderr } = await subledger(['finance', ...args, ...there], {});
  const parse = (text: string) => JSON.parse(text || '{}') as Record<string, unknown>;
  return { code, answer: parse(stdout), error: parse(stderr)['error'] };
}
const close = (period: string, ...more: readonly string[]) =>
  finance('close', period, '--reason', 'Month end.', ...more);

const closeByHttp = (period: string) =>
  ann.post(`${base}/close/${period}`, { reason: 'Month end.' });
const read = async (path_: string) => requireOk(await ann.get(`${base}/${path_}`)).body;

/** @returns the payment of a purchase for 9.99 USD, and the moment of the next charge. */
async function purchase(player: string) {
  const backend = backendClient(standalone.demo);
  const { subscriptionId, token } = await buy(backend, { plan: 'gold', player });
  const at = `/sdk/subscriptions/${subscriptionId}`;
  const { body } = requireOk(await backend.get(`${at}/payments`, seeing(token)));
  const [payment] = body['payments'] as { paymentId: string }[];
  const due = requireOk(await backend.get(at)).body['next_billing_date'];
  return { paymentId: payment?.paymentId ?? '', due: String(due) };
}

type Row = Readonly<Record<string, string>>;

/** Imports a payout of a charge, and of a row that no event explains. @returns the id of that row. */
async function importPayout(paymentId: string): Promise<string> {
  const { answer } = await finance('sandbox-report');
  const charge = (answer['rows'] as Row[]).find((row) => row['charge_id'] === paymentId) ?? {};
  const about = {
    automatic_payout_id: 'po_1',
    charge_id: '',
    'payment_metadata[subledger_key]': '',
  };
  const make = (id: string, category: string, gross: string): Row => ({
    ...{ ...charge, ...about, balance_transaction_id: id, reporting_category: category },
    ...{ source_id: 'po_1', gross, fee: '0.00', net: gross },
  });
  const rows = [
    { ...charge, automatic_payout_id: 'po_1' },
    make('txn_unknown', 'other_adjustment', '-1.00'),
    { ...make('txn_payout', 'payout', '-8.40'), automatic_payout_id: '' },
  ];
  const columns = Object.keys(charge);
  const lines = rows.map((row: Row) => columns.map((name) => row[name] ?? '').join(','));
  const file = path.join(folder.dataDir, 'payout.csv');
  writeFileSync(file, [columns.join(','), ...lines, ''].join('\n'));
  expect(await finance('import', 'stripe', file)).toMatchObject({ code: 0 });
  return 'txn_unknown';
}

it('a month is closed once it is over, stays as it was, and is verified from the log', async () => {
  const { paymentId, due } = await purchase('closed');
  expect(await close(first)).toMatchObject({
    ...{ code: 1, error: { reason: 'PERIOD_NOT_OVER', message: expect.any(String) as string } },
  });
  expect(refusal(await closeByHttp(first))).toEqual([400, 9, 'PERIOD_NOT_OVER']);
  expect(await finance('verify')).toMatchObject({ code: 1, error: { reason: 'PERIOD_OPEN' } });
  const atClose = ['--period', first, '--as-of', `close:${first}`];
  expect(await finance('revenue', ...atClose)).toMatchObject({
    ...{ code: 1, error: { reason: 'PERIOD_OPEN' } },
  });
  const there = ['--data-dir', folder.dataDir];
  const to = new Date(Date.parse(due) + 3_600_000).toISOString();
  const moved = await subledger(['clock', 'advance', appId, '--to', to, ...there], {});
  expect(moved).toMatchObject({ code: 0 });

  const row = await importPayout(paymentId);
  expect(await close(first)).toMatchObject({
    code: 1,
    error: {
      reason: 'CLOSE_GATES_SHUT',
      details: [expect.stringMatching(/^reconciliation: 1 difference .*txn_unknown/)],
    },
  });
  const shut = await closeByHttp(first);
  expect(refusal(shut)).toEqual([400, 9, 'CLOSE_GATES_SHUT']);
  expect(shut.text).toMatch(/"field":"reconciliation","description":"1 difference .*txn_unknown/);
  const accepted = await finance('accept', row, '--reason', 'A fee of the year before.');
  expect(accepted).toMatchObject({ code: 0 });
  const closed = await close(first, '--by', 'ann');
  expect(closed).toMatchObject({ code: 0, answer: { isClosed: true, period: first } });
  expect(await close(first)).toMatchObject({ code: 1, error: { reason: 'PERIOD_CLOSED' } });
  const before = await finance('trial-balance', ...atClose);
  expect(before).toMatchObject({
    code: 0,
    answer: { checkpoint: { size: closed.answer['size'] } },
  });

  // The refund comes behind the close.
  const refunds = `/sdk/server/payments/${paymentId}/refunds`;
  const backend = backendClient(standalone.demo);
  requireOk(await backend.post(refunds, { amountCents: '400' }));
  expect(await finance('trial-balance', ...atClose)).toEqual(before);
  expect(await finance('verify', '--all')).toMatchObject({
    ...{ code: 0, answer: { closes: [{ period: first, differences: [] }] } },
  });
  expect(await finance('verify', '1999-01')).toMatchObject({ code: 1 });
  const restated = await finance('restate', first);
  expect(restated).toMatchObject({ code: 0, answer: { period: first, entries: [] } });

  expect(refusal(await closeByHttp(first))).toEqual([400, 9, 'PERIOD_CLOSED']);
  for (const asked of ['verify', `verify/${first}`]) {
    expect(await read(asked)).toMatchObject({ closes: [{ period: first, differences: [] }] });
  }
  const { knownAt: _, ...known } = await read(`restate/${first}`);
  expect(restated.answer).toMatchObject(known);
  const explained = await read(`explain?what=${paymentId}&asOf=close:${first}`);
  const typed = await finance('explain', paymentId, '--as-of', `close:${first}`);
  expect(explained).toEqual(typed.answer);
});

it('is 503 over HTTP while no bookkeeper runs, with the reason, and the rest goes on', async () => {
  await standalone.killPart('bookkeeper');
  const [figures, report, policy] = await Promise.all([
    ann.get(`${base}/verify`),
    ann.get(`${base}/tax?period=${first}`),
    ann.get(`${base}/policy`),
  ]);
  expect([refusal(figures), refusal(report), policy.status]).toEqual([
    ...[[503, 14, 'NO_BOOKKEEPER'], [503, 14, 'NO_BOOKKEEPER'], 200],
  ]);
  const isAnswered = async () => (await ann.get(`${base}/tax?period=${first}`)).status === 200;
  await eventually(isAnswered, { what: 'the next bookkeeper' });
});

it('bad periods and names are refused before anything is asked', async () => {
  expect(await close('2026-13')).toMatchObject({ code: 2 });
  expect(await close(first, '--by', 'a b')).toMatchObject({ code: 2 });
  expect(await finance('close', first)).toMatchObject({ code: 2 });
  expect(await finance('approve', first, '--reason', 'Looked through.')).toMatchObject({
    code: 0,
    answer: { isClosed: true },
  });
  expect(await close('2999-01')).toMatchObject({ code: 1 });
  expect(refusal(await closeByHttp('2026-13'))).toEqual([400, 3, 'INVALID_FIELDS']);
  expect(badFields(await ann.get(`${base}/explain?what=x&asOf=y`))).toEqual(['asOf', 'what']);
});
