import { describe, expect, it } from 'vitest';
import type { Log } from '#platform';
import type { ReadModels } from '#projection-engine';
import type { TimeRange } from '#projection-engine/define';
import { PENDING_TOO_LONG_MS } from '../limits.js';
import { createLease } from '../spec-support/fakes.js';
import { PendingPayments } from './pending-payments.js';

const NOW_MS = Date.parse('2026-02-01T00:00:00.000Z');
const DAY_MS = 86_400_000;
const REFUND_ASKED_AT = new Date(NOW_MS + DAY_MS).toISOString();

/** Payments without an outcome, and for how many days. */
function create(days: Record<string, number>) {
  const named: unknown[] = [];
  const pending = async ({ until, limit }: TimeRange) =>
    Object.entries(days)
      .map(([member, age]) => ({ member, at: new Date(NOW_MS - age * DAY_MS).toISOString() }))
      .filter(({ at }) => at <= until)
      .slice(0, limit);
  const refunding: typeof pending = async ({ until }) =>
    [{ member: 'pay_refund', at: REFUND_ASKED_AT }].filter(({ at }) => at <= until);
  const readModels = { ask: () => ({ pending, refunding }) } as unknown as Pick<ReadModels, 'ask'>;
  const log = { error: (details: unknown) => named.push(details) } as unknown as Log;
  return { payments: new PendingPayments(readModels, createLease(), log), named };
}

describe('payments without an outcome', () => {
  it('are named when that is so for long, and once', async () => {
    const { payments, named } = create({ pay_old: 8, pay_new: 1 });
    await payments.look(NOW_MS);
    await payments.look(NOW_MS);
    expect(named).toEqual([
      { paymentId: 'pay_old', requestedAt: new Date(NOW_MS - 8 * DAY_MS).toISOString() },
    ]);
    await payments.look(NOW_MS + PENDING_TOO_LONG_MS);
    expect(named).toHaveLength(2);
  });

  it('are named as those with a refund without an outcome are', async () => {
    const { payments, named } = create({});
    await payments.look(NOW_MS + PENDING_TOO_LONG_MS);
    expect(named).toEqual([]);
    await payments.look(NOW_MS + PENDING_TOO_LONG_MS + DAY_MS);
    await payments.look(NOW_MS + PENDING_TOO_LONG_MS + DAY_MS);
    expect(named).toEqual([{ paymentId: 'pay_refund', requestedAt: REFUND_ASKED_AT }]);
  });
});
