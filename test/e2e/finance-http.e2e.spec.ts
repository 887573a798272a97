import { readFile, writeFile } from 'node:fs/promises';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REPORTS } from '#finance';
import { type ApiClient, bearer } from '../support/api-client.js';
import { badFields, refusal } from '../support/errors.js';
import { eventually } from '../support/eventually.js';
import { useLedger } from '../support/fixture.js';
import { buy, requireOk, seeing } from '../support/scenario.js';
import { subledger } from '../cli/subledger.js';

const ledger = useLedger();
const period = new Date().toISOString().slice(0, 7);
/** Other tests of the same ledger set apps to Stripe, by keys of no account. */
const NO_STRIPE = { STRIPE_STAND_IN: 'http://127.0.0.1:1' };

let folder: string;
let finance: ApiClient;
let base: string;
/** The size of a checkpoint that has all purchases: other files of tests write to the same ledger. */
let size: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'subledger-finance-'));
  base = `/manage/apps/${ledger.appId}/finance`;
  const body = { roles: ['finance'] };
  const issued = await ledger.operator.post(`/manage/apps/${ledger.appId}/operator-tokens`, body);
  finance = bearer(ledger.standalone.baseUrl, String(issued.body['token']));
  await buy(ledger.backend, { plan: 'gold', player: 'reported' });
  await eventually(isAnswered, { what: 'a bookkeeper' });
  const sealed = await read('trial-balance', '&asOf=now');
  size = String((sealed.body['checkpoint'] as { size: number }).size);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The standalone starts its bookkeeper last. */
const isAnswered = async () => (await finance.get(`${base}/tax?period=${period}`)).status !== 503;
const read = async (report: string, more = '') =>
  requireOk(await finance.get(`${base}/${report}?period=${period}${more}`));

async function run(...args: readonly string[]) {
  const there = ['--data-dir', ledger.standalone.dataDir, '--app', ledger.appId];
  return subledger(['finance', ...args, ...there], NO_STRIPE);
}

describe('reports over HTTP', () => {
  // Each by one of them: a report takes a process, and both forms are printed of the same rows.
  it.each(REPORTS.map(({ name }, at) => [name, at % 2 === 0 ? 'json' : 'csv']))(
    '%s has the bytes of the command as %s',
    async (report, format) => {
      const answered = await read(report, `&asOf=${size}&format=${format}`);
      const typed = ['--period', period, '--as-of', size, '--format', format];
      expect(answered.text).toBe((await run(report, ...typed)).stdout);
      if (format === 'json') return;
      expect(answered.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      const disposition = answered.headers.get('content-disposition');
      expect(disposition).toContain(`${report}-${period}.csv`);
    },
  );

  it('have the other formats of the journal, own accounts, and Parquet', async () => {
    const journal = await read('journal', `&asOf=${size}&format=hledger`);
    const typed = ['--period', period, '--as-of', size, '--format'];
    expect(journal.text).toBe((await run('journal', ...typed, 'hledger')).stdout);
    expect(journal.text).toContain('assets:gateway-clearing');
    const mapping = 'account,number,hledger,ledger,beancount\nassets:gateway-clearing,1360,,,\n';
    const mapped = `&asOf=${size}&format=csv&accounts=${encodeURIComponent(mapping)}`;
    const file = path.join(folder, 'mapping.csv');
    await writeFile(file, mapping);
    const balance = await read('trial-balance', mapped);
    const own = await run('trial-balance', ...typed, 'csv', '--accounts', file);
    expect(balance.text).toBe(own.stdout);
    expect(balance.text).toContain('1360');
    const parquet = await read('tax', `&asOf=${size}&format=parquet`);
    const out = path.join(folder, 'tax');
    expect(await run('tax', ...typed, 'parquet', '--out', out)).toMatchObject({ code: 0 });
    const written = await readFile(path.join(out, 'tax.parquet'));
    expect(parquet.text).toBe(written.toString('utf8'));
  });

  it('are refused with every bad parameter, and by the sentences of the command', async () => {
    const bad = await finance.get(
      `${base}/tax?period=2026-13&asOf=yesterday&effectiveUntil=2026-02-30&format=hledger`,
    );
    expect(refusal(bad)).toEqual([400, 3, 'INVALID_FIELDS']);
    expect(badFields(bad)).toEqual(['asOf', 'effectiveUntil', 'format', 'period']);
    expect(badFields(await finance.get(`${base}/tax`))).toEqual(['period']);
    const other = await finance.get(`${base}/tax?period=2026-01&effectiveUntil=2026-02-01`);
    expect(badFields(other)).toEqual(['effectiveUntil']);
    expect(badFields(await finance.get(`${base}/tax?period=2026-01&until=x`))).toEqual(['until']);
    const accounts = await finance.get(`${base}/tax?period=${period}&accounts=bank,1200`);
    expect(badFields(accounts)).toContain('accounts');
    const early = await finance.get(`${base}/tax?period=9999-01`);
    expect(refusal(early)).toEqual([400, 9, 'PERIOD_NOT_BEGUN']);
    const { stderr } = await run('tax', '--period', '9999-01');
    expect(stderr).toContain(String(early.body['message']));
    const none = await finance.get(`${base}/tax?period=${period}&asOf=999999999`);
    expect(refusal(none)).toEqual([404, 5, 'SEAL_CHECKPOINT_NOT_FOUND']);
    const unknown = await finance.get(`${base}/profit?period=${period}`);
    expect(refusal(unknown)).toEqual([404, 5, 'REPORT_NOT_FOUND']);
  });

  it('are of the own app alone, and for operators', async () => {
    const foreign = '/manage/apps/app_none/finance';
    const at = `tax?period=${period}`;
    expect(refusal(await finance.get(`${foreign}/${at}`))).toEqual([404, 5, 'APP_NOT_FOUND']);
    const app = { name: 'other', environment: 'test' };
    const made = requireOk(await ledger.allApps.post('/manage/apps', app));
    const other = `/manage/apps/${String(made.body['appId'])}/finance`;
    expect(refusal(await finance.get(`${other}/${at}`))).toEqual([404, 5, 'APP_NOT_FOUND']);
    const empty = requireOk(await ledger.allApps.get(`${other}/${at}`));
    expect(empty.body['rows']).toEqual([]);
    const asBackend = await ledger.backend.get(`${base}/${at}`);
    expect(refusal(asBackend)).toEqual([403, 7, 'WRONG_CREDENTIALS_FOR_OPERATION']);
  });
});

type Row = Readonly<Record<string, string>>;

const printCsv = (...rows: readonly Row[]) => {
  const columns = Object.keys(rows[0] ?? {});
  const lines = rows.map((row) => columns.map((name) => row[name] ?? '').join(','));
  return [columns.join(','), ...lines, ''].join('\n');
};

const send = (client: ApiClient, body: string, query = '') =>
  client.send('POST', `${base}/import/stripe${query}`, {
    body,
    headers: { 'content-type': 'text/csv' },
  });

/** Buys, and finds the sandbox's row about it. */
async function buyAndReport(player: string): Promise<Row> {
  const { subscriptionId, token } = await buy(ledger.backend, { plan: 'gold', player });
  const list = `/sdk/subscriptions/${subscriptionId}/payments`;
  const { body } = requireOk(await ledger.backend.get(list, seeing(token)));
  const [payment] = body['payments'] as { paymentId: string }[];
  const { stdout } = await run('sandbox-report', '--json');
  const { rows } = JSON.parse(stdout) as { rows: Row[] };
  return rows.find((row) => row['charge_id'] === payment?.paymentId) ?? {};
}

describe('settlement over HTTP', () => {
  it('imports rows once, reconciles their payout, and takes a row as it is', async () => {
    const charge = await buyAndReport('settled by http');
    const payout = `po_${charge['balance_transaction_id'] ?? ''}`;
    const paid = { ...charge, automatic_payout_id: payout };
    const other: Row = {
      ...paid,
      ...{ balance_transaction_id: `${payout}_fee`, reporting_category: 'other_adjustment' },
      ...{ gross: '-1.00', fee: '0.00', net: '-1.00' },
    };
    const first = requireOk(await send(finance, printCsv(paid, other)));
    expect(first.body).toEqual({
      ...{ rows: 2, imported: 2, noted: 0, known: 0, ofOtherApps: 0, differing: [] },
    });
    const again = requireOk(await send(finance, printCsv(paid, other)));
    expect(again.body).toMatchObject({ imported: 0, noted: 0, known: 2, differing: [] });

    const reconciled = requireOk(await finance.get(`${base}/reconcile/${payout}`));
    expect(reconciled.body).toMatchObject({ payout, open: 2 });
    const rows = reconciled.body['rows'] as Row[];
    expect(rows.map(({ category, state }) => [category, state])).toEqual([
      ...[
        ['charge', 'agrees'],
        ['other_adjustment', 'open'],
        ['payout', 'open'],
      ],
    ]);
    const accept = () =>
      finance.post(`${base}/accept/${payout}_fee`, { reason: 'A fee of the year before.' });
    expect(requireOk(await accept()).body).toEqual({ row: `${payout}_fee`, isChanged: true });
    expect(requireOk(await accept()).body).toMatchObject({ isChanged: false });
    const last = requireOk(await finance.get(`${base}/reconcile/${payout}`));
    expect(last.body).toMatchObject({ open: 1 });
    const shown = requireOk(await finance.get(`${base}/policy`)).body;
    expect(shown['accepted']).toContainEqual({
      ...{ row: `${payout}_fee`, reason: 'A fee of the year before.' },
    });
  });

  it('refuses files with bad rows whole, and names rows with other figures', async () => {
    const charge = await buyAndReport('differing by http');
    requireOk(await send(finance, printCsv(charge)));
    const differing = requireOk(
      await send(finance, printCsv({ ...charge, gross: '8.99', net: '8.40' })),
    );
    expect(differing.body['differing']).toEqual([
      expect.stringContaining('gross 9.99 USD before, 8.99 USD now'),
    ]);
    const fresh = { ...charge, balance_transaction_id: 'txn_never' };
    const bad = { ...charge, balance_transaction_id: '', reporting_category: 'transfer' };
    const refused = await send(finance, printCsv(fresh, bad));
    expect(refusal(refused)).toEqual([400, 3, 'ROWS_REFUSED']);
    expect(badFields(refused)).toEqual([
      ...['row 3, balance_transaction_id', 'row 3, reporting_category'],
    ]);
    const reason = { reason: 'x' };
    const row = await finance.post(`${base}/accept/txn_never`, reason);
    expect(refusal(row)).toEqual([404, 5, 'ROW_NOT_FOUND']);
    const columns = await send(finance, printCsv({ gross: '1.00' }));
    expect(refusal(columns)).toEqual([400, 3, 'COLUMNS_MISSING']);
    expect(badFields(await send(finance, printCsv(fresh), '?zone=Europe/Atlantis'))).toEqual([
      'zone',
    ]);
    expect(refusal(await send(finance, 'x'.repeat(8 * 1024 * 1024 + 1)))).toEqual([
      ...[413, 8, 'BODY_TOO_LARGE'],
    ]);
    const payout = await finance.get(`${base}/reconcile/po_none`);
    expect(refusal(payout)).toEqual([404, 5, 'PAYOUT_NOT_FOUND']);
    const keys = await finance.post(`${base}/import/stripe/po_none`, {});
    expect(refusal(keys)).toEqual([400, 9, 'GATEWAY_KEYS_MISSING']);
  });
});

describe('the policy over HTTP', () => {
  const set = (body: object, client = finance) =>
    client.send('PUT', `${base}/policy`, { body: { reason: 'Berlin.', ...body } });

  it('is set from an open period on, and shown', async () => {
    const itemClasses = [
      { name: 'swords', match: { prefix: 'sword-' }, lifeDays: 761 },
      { name: 'gems', match: { metadata: { key: 'kind', value: 'gem' } }, lifeDays: null },
    ];
    const policy = { from: '2026-01-01', zone: 'Europe/Berlin', approval: true, itemClasses };
    const { body } = requireOk(await set(policy));
    expect(body).toMatchObject({ policies: [{ number: 1, ...policy }], closed: [], request: null });
    expect(requireOk(await set(policy)).body).toEqual(body);
    expect(requireOk(await finance.get(`${base}/policy`)).body).toMatchObject({
      policies: [{ number: 1, zone: 'Europe/Berlin' }],
    });
  });

  it('is refused with every bad field, and by roles that may not', async () => {
    const bad = await set({
      ...{ from: '2026-01-02', zone: 'Europe/Atlantis', approval: 'yes', reason: '' },
      itemClasses: [{ name: '', match: {}, lifeDays: 0 }, { match: { id: 'a', prefix: 'b' } }],
    });
    expect(refusal(bad)).toEqual([400, 3, 'INVALID_FIELDS']);
    expect(badFields(bad)).toEqual([
      ...['approval', 'from', 'itemClasses.0.lifeDays', 'itemClasses.0.match'],
      ...['itemClasses.0.name', 'itemClasses.1.match', 'itemClasses.1.name', 'reason', 'zone'],
    ]);
    const body = { roles: ['viewer'] };
    const path_ = `/manage/apps/${ledger.appId}/operator-tokens`;
    const { token } = requireOk(await ledger.operator.post(path_, body)).body;
    const viewer = bearer(ledger.standalone.baseUrl, String(token));
    const refused = await set({ from: '2026-01-01' }, viewer);
    expect(refusal(refused)).toEqual([403, 7, 'ROLE_NOT_SUFFICIENT']);
    const shown = await viewer.get(`${base}/policy`);
    expect(shown.status).toBe(200);
    const outside = await finance.get(`/manage/apps/${ledger.appId}/plans`);
    expect(refusal(outside)).toEqual([403, 7, 'ROLE_NOT_SUFFICIENT']);
  });
});
