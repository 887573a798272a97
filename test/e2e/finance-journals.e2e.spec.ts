import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JournalFormat } from '#finance';
import { subledger } from '../cli/subledger.js';
import {
  ACCOUNTING_PROGRAMS,
  installAccountingPrograms,
} from '../support/finance/accounting-programs.js';
import { listExpected } from '../support/finance/stories.js';
import { useLedger } from '../support/fixture.js';
import { makeRow } from '../support/journal-rows.js';
import { buy, createPlan, passTime, paymentLink, requireOk, seeing } from '../support/scenario.js';

/** One app's purchases, refunds, disputes, changes of plans, orders, renewals and payouts, as foreign programs read them. */
const ledger = useLedger();
/** The packages are downloaded once, where they are missing. */
const INSTALLED_WITHIN_MS = 300_000;
const WEEK_MS = 7 * 86_400_000;
/** Other tests of the same ledger set apps to Stripe, by keys of no account. */
const NO_STRIPE = { STRIPE_STAND_IN: 'http://127.0.0.1:1' };

const folder = mkdtempSync(path.join(tmpdir(), 'subledger-stories-'));
beforeAll(installAccountingPrograms, INSTALLED_WITHIN_MS);
afterAll(() => rmSync(folder, { recursive: true }));

type Row = Readonly<Record<string, string>>;

async function finance(...args: readonly string[]): Promise<string> {
  const there = ['--data-dir', ledger.standalone.dataDir, '--app', ledger.appId];
  const { code, stdout, stderr } = await subledger(['finance', ...args, ...there], NO_STRIPE);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

const server = (url: string, body: object = {}) =>
  ledger.backend.post(`/sdk/server/${url}`, body).then(requireOk);
const complete = (linkId: unknown, body: object = {}) =>
  ledger.backend
    .post(`/checkout/${String(linkId)}/complete`, { paymentMethod: 'pm_ok', ...body })
    .then(requireOk);

/** Buys a plan. @returns the subscription's path, and the id of its payment. */
async function pay(player: string, plan = 'gold') {
  const { subscriptionId, token } = await buy(ledger.backend, { plan, player });
  const at = `/sdk/subscriptions/${subscriptionId}`;
  const list = requireOk(await ledger.backend.get(`${at}/payments`, seeing(token)));
  const [payment] = list.body['payments'] as { paymentId: string }[];
  return { at, paymentId: payment?.paymentId ?? '' };
}

async function dispute(player: string, won: boolean): Promise<void> {
  const { paymentId } = await pay(player);
  const disputes = `/manage/apps/${ledger.appId}/sandbox/disputes`;
  const { body } = requireOk(await ledger.operator.post(disputes, { paymentId }));
  const close = `${disputes}/${String(body['disputeId'])}/close`;
  requireOk(await ledger.operator.post(close, { won }));
}

/** To a dearer plan, with the unused time of the former one as a credit. */
async function upgrade(player: string): Promise<void> {
  const { at } = await pay(player);
  const wish = { plan: { code: 'platinum' } };
  const link = requireOk(await ledger.backend.post(`${at}/change-checkout-links`, wish));
  await complete(link.body['id']);
}

async function order(player: string): Promise<void> {
  const metadata = { kind: 'gem', note: 'of a friend' };
  const items = [{ id: 'gems', name: 'Gems', quantity: 2, price: '4.99', metadata }];
  const { id } = await paymentLink(ledger.backend, { player, items, transactionId: player });
  await complete(id);
}

/** Gems are earned over ten days: their metadata says which class they are of. */
async function classGems(): Promise<void> {
  const file = path.join(folder, 'policy.json');
  const match = { metadata: { key: 'kind', value: 'gem' } };
  const itemClasses = [{ name: 'ten-days', match, lifeDays: 10 }];
  writeFileSync(file, JSON.stringify({ zone: 'UTC', itemClasses, approval: false }));
  const from = `${await readMonth()}-01`;
  await finance('policy', 'set', file, '--from', from, '--reason', 'Gems are kept for a while.');
}

/** The sandbox's own report of the app's account, with its fees and payouts. */
async function settle(): Promise<void> {
  const file = path.join(folder, 'report.csv');
  writeFileSync(file, await finance('sandbox-report'));
  await finance('import', 'stripe', file);
}

let months: readonly string[];
let balances: ReadonlyMap<string, Awaited<ReturnType<typeof readBalance>>>;
beforeAll(async () => {
  await createPlan(ledger.operator, ledger.appId, {
    ...{ code: 'platinum', prices: [{ currency: 'USD', amountCents: '1999' }] },
  });
  await classGems();
  const { paymentId } = await pay('refunded');
  await server(`payments/${paymentId}/refunds`, { amountCents: '400' });
  await dispute('won', true);
  await dispute('lost', false);
  await upgrade('upgraded');
  await order('ordered');
  const { at } = await pay('ended');
  requireOk(await ledger.backend.post(`${at}/cancel`, { cancel_at_period_end: false }));
  const first = await readMonth();
  // Five weeks: all others are renewed.
  for (let week = 0; week < 5; week += 1) await passTime(ledger.operator, ledger.appId, WEEK_MS);
  await settle();
  months = [...new Set([first, await readMonth()])];
  await finance('trial-balance', '--period', first, '--as-of', 'now', '--json');
  const read = months.map(async (month) => [month, await readBalance(month)] as const);
  balances = new Map(await Promise.all(read));
});

async function readMonth(): Promise<string> {
  const url = `/manage/apps/${ledger.appId}/test-clock`;
  const { body } = requireOk(await ledger.operator.get(url));
  return String(body['now']).slice(0, '2026-01'.length);
}

/** The debits and credits of a month as rows, which `listExpected` sums. */
async function readBalance(month: string) {
  const text = await finance('trial-balance', '--period', month, '--json');
  const { rows } = JSON.parse(text) as { rows: readonly Row[] };
  return rows.flatMap(({ account = '', currency = '', ...row }) =>
    (['debit', 'credit'] as const).map((side) =>
      makeRow({ account, currency, side, amountMinor: BigInt(row[`${side}_minor`] ?? 0) }),
    ),
  );
}

describe.each(ACCOUNTING_PROGRAMS.map((program) => [program.format, program] as const))(
  '%s',
  (format: JournalFormat, program) => {
    it("takes the journal of an app's month, and comes to its trial balance", async () => {
      expect(months.length).toBe(2);
      for (const month of months) {
        const file = path.join(folder, `${month}.${format}`);
        writeFileSync(file, await finance('journal', '--period', month, '--format', format));
        expect(program.check(file)).toBe('');
        const rows = balances.get(month) ?? [];
        expect(program.balance(file)).toEqual(await listExpected(rows, format));
      }
    });
  },
);

it('the journals have all kinds of events that move money', async () => {
  const texts = await Promise.all(
    months.map((month) => finance('journal', '--period', month, '--format', 'csv')),
  );
  expect(texts.join('')).toMatch(/,liabilities:deferred-items,.*,ten-days,/);
  const types = new Set(texts.join('').match(/\b[a-z]+\.[a-z_]+\.v\d\b/g));
  expect([...types].sort()).toEqual([
    ...['payment.captured.v1', 'payment.dispute_closed.v1', 'payment.dispute_opened.v1'],
    ...['payment.refunded.v1', 'settlement.row_imported.v1', 'subscription.expired.v1'],
  ]);
});
