import { describe, expect, it } from 'vitest';
import type { RecordedEvent } from '#domain/event';
import { nextTurn } from '../spec-support/fakes.js';
import { ProgressNotifier } from '../feed/progress-notifier.js';
import { PendingCharges } from './pending-charges.js';

const at = (n: number) => String(n).padStart(20, '0');
const event = (type: string, paymentId: string, position: number) =>
  // These fields alone are looked at.
  ({
    type: `subscription.${type}`,
    data: { paymentId },
    streamName: 'subscription-sub_1',
    position: at(position),
    metadata: { appId: 'app_1', environment: 'test' },
  }) as unknown as RecordedEvent;
const changed = (paid: { paymentId: string } | null, position: number) => ({
  ...event('plan_changed.v1', '', position),
  data: { payment: paid },
});
const payment = (type: string, paymentId: string) => ({
  ...event('', '', 6),
  ...{ type: `payment.${type}`, streamName: `payment-${paymentId}` },
});

function create() {
  const notifier = new ProgressNotifier();
  const pending = new PendingCharges(notifier);
  pending.onModuleInit();
  return { notifier, pending };
}

/** Longer than a test may take. */
const LIMIT_MS = 600_000;

describe('the charges that wait for the gateway', () => {
  it('have the last change of their app, which is the beginning where none was seen', () => {
    const { notifier, pending } = create();
    expect(pending.lastChangeAt('app_1')).toBe('');
    notifier.processed([], at(2));
    expect(pending.lastChangeAt('app_1')).toBe(at(2));
    notifier.processed([event('renewal_failed.v2', 'pay_1', 5)], at(9));
    expect([pending.lastChangeAt('app_1'), pending.lastChangeAt('app_2')]).toEqual([at(5), at(2)]);
  });

  it.each([
    ['its payment has an outcome', payment('captured.v1', 'pay_1')],
    ['its subscription has taken it', event('renewed.v1', 'pay_1', 7)],
  ])('are left pending by the gateway until %s', (_when, outcome) => {
    const { notifier, pending } = create();
    pending.noteLeftPending('pay_0');
    notifier.processed([payment('pending.v1', 'pay_1')], at(6));
    expect(['pay_0', 'pay_1', 'pay_2'].map((id) => pending.isLeftPending(id))).toEqual([
      ...[true, true, false],
    ]);
    notifier.processed([outcome], at(7));
    expect(['pay_0', 'pay_1'].map((id) => pending.isLeftPending(id))).toEqual([true, false]);
    pending.forgetLeftPending('pay_0');
    expect(pending.isLeftPending('pay_0')).toBe(false);
  });

  it('give news when a subscription takes the outcome', async () => {
    const { notifier, pending } = create();
    const waiting = [1, 2].map(() => pending.waitForNews('pay_1', LIMIT_MS));
    notifier.processed([event('renewed.v1', 'pay_2', 6), event('renewed.v1', 'pay_1', 7)], at(8));
    await Promise.all(waiting);
  });

  it.each(['paid.v1', 'payment_declined.v1', 'late_outcome_recorded.v1'])(
    'give news when an order takes the outcome by %s',
    async (type) => {
      const { notifier, pending } = create();
      const waiting = pending.waitForNews('pay_1', LIMIT_MS);
      const ofOrder = { type: `order.${type}`, streamName: 'order-ord_1' };
      notifier.processed([{ ...event('', 'pay_1', 7), ...ofOrder }], at(8));
      await waiting;
      expect(pending.lastChangeAt('app_1')).toBe(at(7));
    },
  );

  it('give news when a change of the plan was paid, and none when it was not', async () => {
    const { notifier, pending } = create();
    const waiting = pending.waitForNews('pay_1', LIMIT_MS);
    notifier.processed([changed(null, 6), changed({ paymentId: 'pay_1' }, 7)], at(8));
    await waiting;
  });

  it('give news that came before the payment was known, while something was done about it', async () => {
    const { notifier, pending } = create();
    notifier.processed([event('renewed.v1', 'pay_0', 5)], at(5));
    const news = pending.beginNews();
    notifier.processed([event('renewed.v1', 'pay_1', 6)], at(6));
    await news.waitFor('pay_1', LIMIT_MS);
    const of = { earlier: false };
    const other = pending.beginNews();
    void other.waitFor('pay_0', LIMIT_MS).then(() => (of.earlier = true));
    await nextTurn();
    expect(of.earlier).toBe(false);
    notifier.processed([event('renewed.v1', 'pay_0', 7)], at(7));
    await nextTurn();
    expect(of.earlier).toBe(true);
  });

  it('give news when a charge stays pending at the gateway', async () => {
    const { notifier, pending } = create();
    const waiting = pending.waitForNews('pay_1', LIMIT_MS);
    notifier.processed([payment('pending.v1', 'pay_1')], at(8));
    await waiting;
  });

  it('are not waited for beyond the limit', async () => {
    await create().pending.waitForNews('pay_1', 1);
  });
});
