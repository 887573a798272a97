import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { subledger } from '../cli/subledger.js';
import { useLedger } from '../support/fixture.js';
import { buy, requireOk, seeing } from '../support/scenario.js';

/** Finance's commands about an app's books. */
const ledger = useLedger();

/** Other tests of the same ledger set apps to Stripe, by keys of no account. */
const NO_STRIPE = { STRIPE_STAND_IN: 'http://127.0.0.1:1' };

async function run(...args: string[]) {
  const there = ['--data-dir', ledger.standalone.dataDir, '--app', ledger.appId, '--json'];
  const { code, stdout, stderr } = await subledger(['finance', ...args, ...there], NO_STRIPE);
  const parse = (text: string) => JSON.parse(text || '{}') as Record<string, unknown>;
  return { code, answer: parse(stdout), error: parse(stderr)['error'] };
}

async function pay(player: string): Promise<string> {
  const { subscriptionId, token } = await buy(ledger.backend, { plan: 'gold', player });
  const list = `/sdk/subscriptions/${subscriptionId}/payments`;
  const { body } = requireOk(await ledger.backend.get(list, seeing(token)));
  const [payment] = body['payments'] as { paymentId: string }[];
  return payment?.paymentId ?? '';
}

type Row = Readonly<Record<string, string>>;

/** A file with these rows. */
async function write(...rows: readonly Row[]): Promise<string> {
  const columns = Object.keys(rows[0] ?? {});
  const lines = rows.map((row) => columns.map((name) => row[name] ?? '').join(','));
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'finance-')), 'report.csv');
  await writeFile(file, [columns.join(','), ...lines, ''].join('\n'));
  return file;
}

/** The row of the sandbox about a payment. */
async function reportedRow(paymentId: string): Promise<Row> {
  const { answer } = await run('sandbox-report');
  const rows = answer['rows'] as Row[];
  return rows.find((row) => row['charge_id'] === paymentId) ?? {};
}

describe('subledger finance', () => {
  it('imports rows once, with their payout, and reconciles it until each row is explained', async () => {
    const charge = await reportedRow(await pay('settled'));
    expect(charge).toMatchObject({ gross: '9.99', fee: '0.59', net: '9.40', currency: 'usd' });
    const payoutId = `po_${charge['balance_transaction_id'] ?? ''}`;
    expect(await run('import', 'stripe', await write(charge))).toMatchObject({
      ...{ code: 0, answer: { rows: 1, imported: 1, noted: 0, known: 0 } },
    });
    expect(await run('import', 'stripe', await write(charge))).toMatchObject({
      ...{ code: 0, answer: { imported: 0, known: 1 } },
    });

    const own: Row = {
      ...charge,
      ...{ balance_transaction_id: `txn_${payoutId}`, reporting_category: 'payout' },
      ...{ source_id: payoutId, gross: '-9.40', fee: '0.00', net: '-9.40', charge_id: '' },
      'payment_metadata[subledger_key]': '',
    };
    const unknown: Row = {
      ...charge,
      ...{ balance_transaction_id: `${payoutId}_other`, reporting_category: 'other_adjustment' },
      ...{ gross: '-1.00', fee: '0.00', net: '-1.00', automatic_payout_id: payoutId },
    };
    const paid = { ...charge, automatic_payout_id: payoutId };
    expect(await run('import', 'stripe', await write(paid, own, unknown))).toMatchObject({
      ...{ code: 0, answer: { rows: 3, imported: 2, noted: 1 } },
    });

    const reconcile = () => run('reconcile', '--payout', payoutId);
    const first = await reconcile();
    expect(first).toMatchObject({ code: 1, error: { reason: 'PAYOUT_DIFFERS' } });
    const states = (answer: Record<string, unknown>) =>
      (answer['rows'] as Row[]).map(({ category, state }) => [category, state]);
    expect(states(first.answer)).toEqual([
      ['charge', 'agrees'],
      ['other_adjustment', 'open'],
      ['payout', 'open'],
    ]);
    for (const row of [`${payoutId}_other`, `txn_${payoutId}`]) {
      const accept = () => run('accept', row, '--reason', 'A fee of the year before.');
      expect(await accept()).toMatchObject({ code: 0, answer: { isChanged: true } });
      expect(await accept()).toMatchObject({ code: 0, answer: { isChanged: false } });
    }
    const last = await reconcile();
    expect(last).toMatchObject({ code: 0, answer: { open: 0 } });
    expect(states(last.answer).map(([, state]) => state)).toEqual([
      ...['agrees', 'accepted', 'accepted'],
    ]);
  });

  it('refuses a row with other figures than before, and files with bad rows, whole', async () => {
    const charge = await reportedRow(await pay('refused'));
    await run('import', 'stripe', await write(charge));
    const other = { ...charge, gross: '8.99', net: '8.40' };
    expect(await run('import', 'stripe', await write(other))).toMatchObject({
      code: 1,
      error: {
        reason: 'ROWS_DIFFER',
        details: [expect.stringContaining('gross 9.99 USD before, 8.99 USD now')],
      },
    });
    const fresh = { ...charge, balance_transaction_id: 'txn_fresh' };
    const bad = { ...charge, balance_transaction_id: '', reporting_category: 'transfer' };
    expect(await run('import', 'stripe', await write(fresh, bad))).toMatchObject({
      code: 2,
      error: {
        reason: 'ROWS_REFUSED',
        details: [
          expect.stringContaining('row 3, balance_transaction_id'),
          expect.stringContaining('row 3, reporting_category'),
        ],
      },
    });
    expect(await run('accept', 'txn_fresh', '--reason', 'x')).toMatchObject({
      ...{ code: 1, error: { reason: 'ROW_NOT_FOUND' } },
    });
    expect(await run('import', 'stripe', await write({ gross: '1.00' }))).toMatchObject({
      ...{ code: 2, error: { reason: 'COLUMNS_MISSING' } },
    });
    const inAtlantis = run('import', 'stripe', await write(fresh), '--zone', 'Europe/Atlantis');
    expect((await inAtlantis).code).toBe(2);
    expect(await run('reconcile', '--payout', 'po_none')).toMatchObject({
      ...{ code: 1, error: { reason: 'PAYOUT_NOT_FOUND' } },
    });
  });

  it('sets a policy from an open period on, and shows it', async () => {
    const file = path.join(await mkdtemp(path.join(tmpdir(), 'finance-')), 'policy.json');
    await writeFile(file, JSON.stringify({ zone: 'Europe/Berlin' }));
    const set = (from: string) => run('policy', 'set', file, '--from', from, '--reason', 'Berlin.');
    expect(await set('2026-01-01')).toMatchObject({ code: 0, answer: { isChanged: true } });
    expect(await set('2026-01-01')).toMatchObject({ code: 0, answer: { isChanged: false } });
    expect(await set('2026-01-02')).toMatchObject({
      code: 1,
      error: { reason: 'POLICY_INVALID', details: [expect.stringContaining('from: ')] },
    });
    expect(await run('policy', 'show')).toMatchObject({
      code: 0,
      answer: { policies: [{ zone: 'Europe/Berlin', from: '2026-01-01', number: 1 }], closed: [] },
    });
  });
});
