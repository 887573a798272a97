import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newUuid } from '#platform';
import { SealReader } from '#sealing';
import { readLog, WrittenLog } from '../sealing/altered-ledger.js';
import { CloseLedger } from './close-ledger.js';

let books: CloseLedger;
beforeEach(async () => {
  books = await CloseLedger.start();
});
afterEach(() => books.remove());

const JANUARY_END = '2026-01-31T10:00:00.000Z';
const total = (account: string, debitMinor: string, creditMinor: string) => ({
  ...{ account, currency: 'EUR', debitMinor, creditMinor },
});

describe('a close', () => {
  it('has the reports and sums of its month as of a checkpoint of its own, and is verified by them', async () => {
    await books.purchases.buyMonth('app_1', 'a');
    await books.purchases.buyMonth('app_2', 'b');
    const outcome = await books.close('2026-01');
    const last = await new SealReader(books.ledger.store).findLast();
    expect(outcome).toEqual({ isClosed: true, size: last?.checkpoint.size });
    const [close] = await books.closes();
    expect(close).toMatchObject({
      ...{ period: '2026-01', rules: 'rules.v1', policy: 0 },
      ...{ requestedBy: 'cli:ann', approvedBy: null, reason: 'Month end.' },
      totals: [
        total('assets:gateway-clearing', '3689', '0'),
        total('income:subscriptions', '0', '1700'),
        total('liabilities:deferred-subscriptions', '1700', '3100'),
        total('liabilities:tax-payable:DE', '0', '589'),
      ],
    });
    expect(close?.reports.map(({ name }) => name)).toEqual(
      ['trial-balance', 'journal', 'deferred', 'waterfall', 'revenue', 'tax'].flatMap((name) => [
        ...[`${name}.json`, `${name}.csv`],
      ]),
    );
    expect(await books.verify()).toEqual([[]]);
    // Its files hold the money that was earned as entries.
    await books.seal();
    await books.keep();
    expect(await books.verifyFiles()).toEqual([[]]);
  });

  it('stays as it was when events come late: they are booked in the next month, and restated', async () => {
    await books.purchases.buyMonth('app_1', 'a');
    await books.close('2026-01');
    expect((await books.restate('2026-01')).entries).toEqual([]);
    await books.purchases.refund('app_1', 'pay_a', '1000', JANUARY_END);
    await books.close('2026-02');
    books.opened = 0;
    expect(await books.verify()).toEqual([[], []]);
    expect(books.opened).toBe(1);
    const [, february] = await books.closes();
    expect(february?.totals).toContainEqual(total('assets:gateway-clearing', '0', '1000'));
    const { totals, entries } = await books.restate('2026-01');
    expect(totals).toContainEqual({
      ...{ account: 'assets:gateway-clearing', currency: 'EUR' },
      ...{ closedMinor: 3_689n, knownMinor: 2_689n },
    });
    // The entries of the refund, and the recognition of the last day.
    const changed = entries.map(({ closed: was, known: is }) => [is?.account, was !== null]);
    expect(changed).toContainEqual(['assets:gateway-clearing', false]);
    expect(changed.filter(([, isRecognition]) => isRecognition)).toHaveLength(2);
  });

  it('counts to its checkpoint: entries before its own event are late, also those in files of the books', async () => {
    await books.setPolicy({ approval: true });
    await books.purchases.buyMonth('app_1', 'a');
    expect(await books.close('2026-01')).toMatchObject({ isClosed: false });
    await books.purchases.refund('app_1', 'pay_a', '1000', JANUARY_END);
    await books.seal();
    await books.keep();
    expect(await books.approve('2026-01', 'cli:ann')).toHaveProperty('rejection');
    expect(await books.approve('2026-01', 'cli:bob')).toMatchObject({ isClosed: true });
    expect(await books.close('2026-02')).toMatchObject({ isClosed: false });
    expect(await books.approve('2026-02', 'cli:bob')).toMatchObject({ isClosed: true });
    const [january, february] = await books.closes();
    const clearing = ({ totals }: NonNullable<typeof january>) =>
      totals.find(({ account }) => account === 'assets:gateway-clearing');
    expect(clearing(january!)).toMatchObject({ debitMinor: '3689', creditMinor: '0' });
    expect(clearing(february!)).toMatchObject({ debitMinor: '0', creditMinor: '1000' });
    expect(await books.verify()).toEqual([[], []]);
    await books.seal();
    await books.keep();
    expect(await books.verify()).toEqual([[], []]);
    expect(await books.verifyFiles()).toEqual([[], []]);
  });

  it('is not made where a gate is shut, and each is named', async () => {
    await books.purchases.buyMonth('app_1', 'a');
    const shut = books.close('2026-01', {
      findParked: async () => ['payment-pay_a'],
      findDifferences: async () => [{ row: 'txn_1', why: 'unknown' }],
    });
    await expect(shut).rejects.toMatchObject({
      reason: 'CLOSE_GATES_SHUT',
      violations: [{ field: 'parked' }, { field: 'reconciliation' }],
    });
    expect(await books.closes()).toEqual([]);
  });

  it.each([
    ['a month that is not over', '2026-01', '2026-01-31T23:59:59.999Z', 'finance/period_not_over'],
    ['a month to come', '2030-01', undefined, 'finance/period_not_over'],
    ['a month before the first entry', '2025-12', undefined, 'finance/not_next_period'],
    ['a month behind an open one', '2026-02', undefined, 'finance/not_next_period'],
  ])('is refused for %s, and nothing changes', async (_, period, now, code) => {
    await books.purchases.buyMonth('app_1', 'a');
    const refused = await books.close(period, now === undefined ? {} : { now });
    expect(refused).toMatchObject({ rejection: { code } });
    expect(await books.closes()).toEqual([]);
  });

  it('is refused for a closed month, and for an app without entries', async () => {
    await books.purchases.buyMonth('app_2', 'b');
    const nothing = await books.close('2026-01');
    expect(nothing).toMatchObject({ rejection: { code: 'finance/nothing_booked' } });
    await books.purchases.buyMonth('app_1', 'a');
    await books.close('2026-01');
    const again = await books.close('2026-01');
    expect(again).toMatchObject({ rejection: { code: 'finance/already_closed' } });
    expect(await books.closes()).toHaveLength(1);
  });
});

describe('verifying a close', () => {
  it('names each figure that the events do not give, where an event was altered', async () => {
    await books.purchases.buyMonth('app_1', 'a');
    await books.close('2026-01');
    const log = await readLog(books.ledger.store);
    const altered = await WrittenLog.write(
      log.map((event) => {
        if (event.type !== 'payment.requested.v3') return event;
        return { ...event, data: Buffer.from(String(event.data).replaceAll('3689', '3589')) };
      }),
    );
    try {
      const [differences] = await books.verify(altered.store);
      const parts = differences?.map(({ part }) => part);
      expect(parts).toContain('journal.csv');
      expect(parts).toContain('trial-balance.json');
      expect(parts).toContain('assets:gateway-clearing EUR');
    } finally {
      await altered.remove();
    }
  });

  it('names a report and a sum that the close has otherwise', async () => {
    await books.purchases.buyMonth('app_1', 'a');
    await books.close('2026-01');
    const [close] = await books.closes();
    const planted = {
      ...close,
      totals: close!.totals.map((one) => ({ ...one, creditMinor: `${one.creditMinor}0` })),
      reports: close!.reports.map((one, at) => (at === 3 ? { ...one, hash: 'ab' } : one)),
    };
    await append(planted);
    const [, differences] = await books.verify();
    expect(differences?.map(({ part }) => part)).toEqual([
      ...['journal.csv', 'assets:gateway-clearing EUR'],
      ...['income:subscriptions EUR', 'liabilities:deferred-subscriptions EUR'],
      'liabilities:tax-payable:DE EUR',
    ]);
  });
});

async function append(data: unknown): Promise<void> {
  const metadata = {
    ...{ $correlationId: newUuid(), actor: 'cli', appId: 'app_1' },
    ...{ environment: 'test' as const, occurredAt: '2026-02-02T10:00:00.000Z' },
  };
  const event = { id: newUuid(), type: 'finance.period_closed.v1', data, metadata };
  await books.ledger.store.append('finance-app_1', 'any', [event]);
}
