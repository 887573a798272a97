import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DuckDb, sqlText } from '#books';
import { subledger } from '../cli/subledger.js';
import { useLedger } from '../support/fixture.js';
import { buy, paymentLink, requireOk, seeing } from '../support/scenario.js';

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
    // Other tests of the same ledger have checkpoints made.
    const same = ['--as-of', String(after.checkpoint.size)];
    const [one, other] = [
      await report('journal', second, ...same),
      await report('journal', second, ...same),
    ];
    expect(one).toMatchObject({ code: 0 });
    expect(other.stdout).toBe(one.stdout);
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

  it('have the recurring revenue of the subscription, with the event of its beginning', async () => {
    const none = { expansion: '0.00', contraction: '0.00', churn: '0.00', will_churn: '0.00' };
    const begun = { currency: 'USD', opening: '0.00', new: '9.99', closing: '9.99', ...none };
    expect((await answer('mrr', first)).rows).toMatchObject([begun]);
    expect((await answer('mrr', second)).rows).toMatchObject([
      { ...begun, opening: '9.99', new: '0.00' },
    ]);
    expect((await answer('mrr-movements', first)).rows).toMatchObject([
      { movement: 'new', event_type: 'subscription.created.v2', before: '0.00', after: '9.99' },
    ]);
    for (const name of ['lost-to-dunning', 'payouts']) {
      expect((await answer(name, second)).rows).toEqual([]);
    }
  });

  it("have a customer's numbers and names of accounts, of a mapping that is right in all rows", async () => {
    const file = path.join(folder, 'mapping.csv');
    const header = 'account,number,hledger,ledger,beancount';
    writeFileSync(file, `${header}\nassets:gateway-clearing,1360,Aktiva:1360,,\n`);
    const { rows } = await answer('trial-balance', first, '--accounts', file);
    expect(rows[0]).toMatchObject({ account: 'assets:gateway-clearing', account_number: '1360' });
    const format = ['--format', 'hledger', '--accounts', file];
    expect((await report('journal', first, ...format)).stdout).toContain('Aktiva:1360  9.99 USD');
    writeFileSync(file, `${header}\nassets:cash,1360\nassets:bank,=1,,,\n`);
    const refused = await report('trial-balance', first, '--accounts', file);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(/line 2, row: [^]*line 3, number: /);
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

  it('have the payments of a player who was erased in all totals', async () => {
    const totals = async () => {
      const { checkpoint, rows } = await answer('trial-balance', second, '--as-of', 'now');
      return { size: checkpoint.size, rows };
    };
    const items = [{ id: 'gems', name: 'Gems', quantity: 1, price: '4.99' }];
    const link = { player: 'forgotten', items, transactionId: 'forgotten' };
    const { id } = await paymentLink(ledger.backend, link);
    requireOk(await ledger.backend.post(`/checkout/${id}/complete`, { paymentMethod: 'pm_ok' }));
    const before = await totals();
    expect(before.rows).toContainEqual(
      expect.objectContaining({ account: 'income:items', credit: '4.99' }),
    );
    const erased = await run(
      ...['players', 'erase', '--json', '--app', ledger.appId],
      ...['--account', 'forgotten'],
    );
    expect(erased).toMatchObject({ code: 0 });
    const after = await totals();
    expect(after.rows).toEqual(before.rows);
    expect(after.size).toBeGreaterThan(before.size);
  });
});

describe('an explanation', () => {
  const month = new Date().toISOString().slice(0, 7);
  const explain = async (what: string) => {
    const found = await run('finance', 'explain', what, '--app', ledger.appId, '--json');
    expect(found).toMatchObject({ code: 0, stderr: '' });
    return JSON.parse(found.stdout) as Readonly<Record<string, unknown>>;
  };

  it('leads from what was earned to its line, price, plan, event, request and proof', async () => {
    const { rows } = await answer('journal', month);
    const earned = rows.find(({ rule }) => rule === 'rules.v1/recognized');
    const entry = earned?.['entry'] ?? '';
    expect(entry).toContain(`/${month}`);
    const found = await explain(entry);
    expect(found).toMatchObject({
      entry: { ...earned, booked_at: expect.any(String) as unknown },
      line: { kind: 'recurring', amountCents: '999', plan: { code: 'gold' }, price: {} },
      recognition: { origin: { amountMinor: '999' }, beforeMinor: '0' },
      event: { type: 'payment.captured.v1', stream: `payment-${earned?.['payment'] ?? ''}` },
    });
    const { proof } = found['event'] as { proof: { leaf: number; text: string } };
    expect(String(proof.leaf)).toBe(earned?.['leaf']);
    const proofFile = path.join(folder, 'event.tlog-proof');
    writeFileSync(proofFile, proof.text);
    const keyFile = path.join(ledger.standalone.dataDir, 'seal.key');
    const { stdout: key } = await run('seal', 'key', 'show', keyFile);
    expect(await subledger(['seal', 'check', proofFile, '--key', key.trim()], {})).toMatchObject({
      code: 0,
    });
    const text = await run('finance', 'explain', entry, '--app', ledger.appId);
    for (const word of ['recurring 9.99 USD', 'caused by', 'request ', `leaf ${proof.leaf}`]) {
      expect(text.stdout).toContain(word);
    }
  });

  it('has the events of a payment, the entries of a figure, and the next charge', async () => {
    const { rows } = await answer('journal', month);
    const payment = rows[0]?.['payment'] ?? '';
    const found = await explain(payment);
    expect(found).toMatchObject({ kind: 'payment', payment, lines: [{ kind: 'recurring' }] });
    const events = found['postings'] as { event: { type: string } }[];
    expect(events.map(({ event }) => event.type)).toEqual([
      'payment.captured.v1',
      'payment.refunded.v1',
    ]);
    expect(events[0]?.event).toMatchObject({ correlationId: expect.any(String) as unknown });
    const figure = await explain(`assets:gateway-clearing ${month}`);
    expect(figure).toMatchObject({
      balances: [{ currency: 'USD', opening_minor: '0', debit_minor: '999', credit_minor: '400' }],
      rules: [{ rule: 'rules.v1/captured' }, { rule: 'rules.v1/refunded' }],
      others: 0,
    });
    expect(await explain(rows[0]?.['subscription'] ?? '')).toMatchObject({
      ...{ kind: 'next_charge', status: 'active' },
      next: { amount: { amountMinor: '999' }, lines: [{ kind: 'recurring' }] },
    });
  });

  it('is refused by a sentence where there is none', async () => {
    const refused = async (code: number, words: string, what: string) => {
      const found = await run('finance', 'explain', what, '--app', ledger.appId);
      expect(found).toMatchObject({ code, stdout: '' });
      expect(found.stderr).toContain(words);
    };
    await refused(2, 'is not the id of an entry', 'everything');
    await refused(2, 'is not the id of an entry', 'income:items 2026-13');
    await refused(1, 'has not begun', 'income:items 9999-01');
    await refused(1, 'has no entry on', `income:items ${month}`);
    await refused(1, 'have no entry', '00000000-0000-4000-8000-000000000000#1');
    await refused(1, 'There is no payment', 'pay_none');
    await refused(1, 'There is no subscription', 'sub_none');
  });
});
