import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DuckDb, sqlText } from '#books';
import { subledger } from '../cli/subledger.js';
import { useLedger } from '../support/fixture.js';
import { buy, requireOk, seeing } from '../support/scenario.js';

const ledger = useLedger();
const HOUR_MS = 3_600_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'subledger-finance-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function run(...args: readonly string[]) {
  const there = ['--data-dir', ledger.standalone.dataDir];
  return subledger([...args, ...there], {});
}

const report = (name: string, period: string, ...more: readonly string[]) =>
  run('finance', name, '--app', ledger.appId, '--period', period, ...more);

type Row = Readonly<Record<string, string>>;
interface Answer {
  readonly checkpoint: { readonly size: number; readonly at: string };
  readonly effectiveUntil: string;
  readonly rows: readonly Row[];
}

async function answer(name: string, period: string, ...more: readonly string[]) {
  const { code, stdout, stderr } = await report(name, period, '--json', ...more);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Answer;
}

const sum = (rows: readonly Row[], name: string) =>
  rows.reduce((total, row) => total + BigInt(row[name] ?? 0), 0n);

/** Buys a month for 9.99 USD and gives 4.00 back. @returns the moment of the next charge. */
async function buyAndRefund(): Promise<number> {
  const bought = await buy(ledger.backend, { plan: 'gold', player: 'accounted' });
  const { subscriptionId, token } = bought;
  const at = `/sdk/subscriptions/${subscriptionId}`;
  const list = requireOk(await ledger.backend.get(`${at}/payments`, seeing(token)));
  const [payment] = list.body['payments'] as { paymentId: string }[];
  const refunds = `/sdk/server/payments/${payment?.paymentId}/refunds`;
  requireOk(await ledger.backend.post(refunds, { amountCents: '400' }));
  const { body } = requireOk(await ledger.backend.get(at));
  return Date.parse(String(body['next_billing_date']));
}

describe('reports of a purchase, a refund and a renewal', () => {
  const first = new Date().toISOString().slice(0, 7);
  let second: string;
  let size: string;
  let older: string;

  beforeAll(async () => {
    const due = await buyAndRefund();
    const { checkpoint } = await answer('trial-balance', first, '--as-of', 'now');
    size = String(checkpoint.size);
    older = (await report('trial-balance', first, '--as-of', size)).stdout;
    const to = new Date(due + HOUR_MS).toISOString();
    second = to.slice(0, 7);
    expect(await run('clock', 'advance', ledger.appId, '--to', to)).toMatchObject({ code: 0 });
    await answer('trial-balance', second, '--as-of', 'now');
  });

  it('name both clocks first', () => {
    const line = new RegExp(`^as of leaf ${size} \\(\\S+Z\\), effective until ${first}-\\d\\d\\n`);
    expect(older).toMatch(line);
  });

  it('sum up to zero, and to the sums of DuckDB over the files', async () => {
    const { rows } = await answer('trial-balance', second);
    expect([sum(rows, 'opening_minor'), sum(rows, 'closing_minor')]).toEqual([0n, 0n]);
    const cash = rows.find(({ account }) => account === 'assets:gateway-clearing');
    expect(cash).toMatchObject({
      opening: '5.99',
      debit: '9.99',
      credit: '0.00',
      closing: '15.98',
    });
    const out = path.join(folder, 'journal');
    const written = await report('journal', second, '--format', 'parquet', '--out', out);
    expect(written).toMatchObject({ code: 0, stderr: '' });
    const file = sqlText(path.join(out, 'journal.parquet'));
    const sums = await DuckDb.with(folder, (duckDb) =>
      duckDb.all(
        'SELECT account, coalesce(sum(debit_minor), 0)::VARCHAR AS debit_minor, ' +
          `coalesce(sum(credit_minor), 0)::VARCHAR AS credit_minor FROM ${file} GROUP BY ALL ORDER BY ALL`,
      ),
    );
    const moved = rows.filter((row) => row['debit_minor'] !== '0' || row['credit_minor'] !== '0');
    expect(sums).toEqual(
      moved.map(({ account, debit_minor, credit_minor }) => ({
        account,
        debit_minor,
        credit_minor,
      })),
    );
  });

  it('are the older ones as of the older checkpoint, and the same at each run', async () => {
    expect((await report('trial-balance', first, '--as-of', size)).stdout).toBe(older);
    const before = await answer('trial-balance', second, '--as-of', size);
    const after = await answer('trial-balance', second);
    expect(after.rows).not.toEqual(before.rows);
    for (const name of ['journal', 'deferred', 'waterfall', 'revenue', 'tax']) {
      const [one, other] = [await report(name, second), await report(name, second)];
      expect(one).toMatchObject({ code: 0 });
      expect(other.stdout).toBe(one.stdout);
    }
  });

  it('go to a new folder with a manifest that has the hash of each file', async () => {
    const out = path.join(folder, 'deferred');
    expect(await report('deferred', first, '--out', out)).toMatchObject({ code: 0 });
    expect(readdirSync(out).sort()).toEqual(['accounts.csv', 'deferred.csv', 'manifest.json']);
    const read = (name: string) => readFileSync(path.join(out, name));
    const { files } = JSON.parse(String(read('manifest.json'))) as { files: Row[] };
    for (const { name = '', sha256 } of files) {
      expect(createHash('sha256').update(read(name)).digest('hex')).toBe(sha256);
    }
    expect(await report('deferred', first, '--out', out)).toMatchObject({ code: 1 });
  });

  it('are refused by a sentence where they cannot be answered', async () => {
    const refused = async (code: number, words: string, ...args: readonly string[]) => {
      const found = await run('finance', ...args);
      expect(found).toMatchObject({ code, stdout: '' });
      expect(found.stderr).toContain(words);
    };
    const of = ['--app', ledger.appId, '--period'];
    await refused(2, 'must be a month', 'tax', ...of, '2026-13');
    await refused(1, 'has not begun', 'tax', ...of, '9999-01');
    await refused(1, 'There is no app', 'tax', '--app', 'app_none', '--period', first);
    await refused(2, 'no hledger', 'tax', ...of, first, '--format', 'hledger');
    await refused(2, '--out', 'tax', ...of, first, '--format', 'parquet');
    await refused(2, 'must be a day', 'tax', ...of, first, '--effective-until', '2026-02-30');
    await refused(2, `a day of ${first}`, 'tax', ...of, first, '--effective-until', '2020-01-01');
    await refused(1, 'no checkpoint', 'tax', ...of, first, '--as-of', '999999999');
    await refused(2, '--as-of must be', 'tax', ...of, first, '--as-of', 'yesterday');
  });
});
