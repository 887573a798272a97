import { describe, expect, it } from 'vitest';
import { paymentAggregate } from '#domain/payment';
import type { CommandExecutor } from '#event-store';
import { ProgressNotifier } from '../feed/progress-notifier.js';
import { at } from '../spec-support/fakes.js';
import { PendingCharges } from '../billing-clock/pending-charges.js';
import { Settlements } from './settlements.js';

/** Longer than a test may take. */
const LIMIT_MS = 600_000;
const charge = { subjectId: 'sub_1', paymentId: 'pay_1' };

/** The two streams, as far as they are looked at; one state after the other, the last one for good. */
function create(payment: object | Error, subscriptions: (string | null | Error)[]) {
  const load = async (aggregate: unknown) => {
    if (aggregate === paymentAggregate) {
      if (payment instanceof Error) throw payment;
      return { state: payment };
    }
    const paymentId = subscriptions.length > 1 ? subscriptions.shift() : subscriptions[0];
    if (paymentId instanceof Error) throw paymentId;
    return {
      state: {
        ...{ status: 'active', pendingChange: null },
        pendingCharge: paymentId && { paymentId },
      },
      position: at(7),
    };
  };
  const pending = new PendingCharges(new ProgressNotifier());
  const settlements = new Settlements({ load } as unknown as CommandExecutor, pending);
  return { settlements, pending };
}

describe('the settlement of a charge', () => {
  it('is not waited for once the charge is known to stay pending', async () => {
    const payment = { status: 'PENDING', pendingSince: '2026-01-01T00:00:00.000Z' };
    const { settlements, pending } = create(payment, ['pay_1']);
    expect(await settlements.waitFor(charge, LIMIT_MS)).toBe(null);
    expect(pending.isLeftPending('pay_1')).toBe(true);
  });

  it('is waited for at the bound, though the charge stays pending until it is given up', async () => {
    const payment = { status: 'PENDING', pendingSince: '2026-01-01T00:00:00.000Z' };
    const { settlements } = create(payment, ['pay_1', 'pay_1', null]);
    expect(await settlements.waitFor(charge, LIMIT_MS, { isAtBound: true })).toBe(at(7));
  });

  it('is waited for as long as its subscription has not taken the outcome of its payment', async () => {
    const { settlements, pending } = create({ status: 'SUCCEEDED' }, ['pay_1', 'pay_1', null]);
    expect(await settlements.waitFor(charge, LIMIT_MS)).toBe(at(7));
    expect(pending.isLeftPending('pay_1')).toBe(false);
  });

  it.each([
    ['a worker that was killed has not asked for', { status: 'none' }],
    ['a worker that stands still has asked for', { status: 'PENDING', pendingSince: null }],
    ['is captured, and was not settled yet', { status: 'SUCCEEDED' }],
  ])('is not given up for a charge that %s', async (_which, payment) => {
    const { settlements } = create(payment, ['pay_1']);
    const waiting = settlements.waitFor(charge, -1);
    await expect(waiting).rejects.toMatchObject({ code: 'unavailable', retryable: true });
  });

  it.each([
    ['its subject', { status: 'none' }, new Error('the store is away')],
    ['its payment', new Error('the store is away'), 'pay_1'],
  ])('is waited for again after the store failed to read %s', async (_which, payment, subject) => {
    const { settlements, pending } = create(payment, [subject]);
    await expect(settlements.waitFor(charge, LIMIT_MS)).rejects.toThrow('the store is away');
    expect(pending.isLeftPending('pay_1')).toBe(false);
  });

  it.each([
    [
      'its payment is left pending',
      { status: 'PENDING', pendingSince: '2026-01-01' },
      'pay_1',
      true,
    ],
    ['its payment has its outcome', { status: 'SUCCEEDED' }, 'pay_1', false],
    ['its subject has taken it', { status: 'PENDING', pendingSince: '2026-01-01' }, null, false],
  ])('is known from the store: %s', async (_which, payment, subject, isLeftPending) => {
    const { settlements, pending } = create(payment, [subject]);
    expect(await settlements.isLeftPending(charge)).toBe(isLeftPending);
    expect(pending.isLeftPending('pay_1')).toBe(false);
  });
});
