import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '#domain/event';
import { nextTurn } from '../spec-support/fakes.js';
import { ProgressNotifier } from '../feed/progress-notifier.js';
import { PendingRenewals } from './pending-renewals.js';

const at = (n: number) => String(n).padStart(20, '0');
const event = (type: string, paymentId: string, position: number) =>
  // These fields alone are looked at.
  ({
    type: `subscription.${type}`,
    data: { paymentId },
    streamName: 'subscription-sub_1',
    position: at(position),
    metadata: { appId: 'app_1' },
  }) as unknown as RecordedEvent;

function create() {
  const notifier = new ProgressNotifier();
  const renewals = new PendingRenewals(notifier);
  renewals.onModuleInit();
  return { notifier, renewals };
}

/** Longer than a test may take. */
const LIMIT_MS = 600_000;

describe('the renewals that wait for the gateway', () => {
  it('are those that asked for a charge and have no outcome, with the last change of their app', () => {
    const { notifier, renewals } = create();
    notifier.processed(
      [
        event('renewal_requested.v1', 'pay_1', 3),
        event('renewal_requested.v1', 'pay_2', 4),
        event('renewal_failed.v2', 'pay_1', 5),
        { ...event('x', 'pay_2', 9), streamName: 'payment-pay_2' },
      ],
      at(9),
    );
    expect(renewals.list('app_1')).toEqual([{ paymentId: 'pay_2', subscriptionId: 'sub_1' }]);
    expect(renewals.list('app_2')).toEqual([]);
    expect(renewals.lastChangeAt('app_1')).toBe(at(5));
  });

  it('are also those that asked before this process began', () => {
    const { notifier, renewals } = create();
    notifier.stillInFlight(event('renewal_requested.v1', 'pay_1', 3));
    notifier.stillInFlight(event('late_outcome_recorded.v1', 'pay_2', 4));
    expect(renewals.list('app_1')).toEqual([{ paymentId: 'pay_1', subscriptionId: 'sub_1' }]);
  });

  it('give news when a subscription takes the outcome', async () => {
    const { notifier, renewals } = create();
    const waiting = [1, 2].map(() => renewals.waitForNews('pay_1', LIMIT_MS));
    notifier.processed([event('renewed.v1', 'pay_2', 6), event('renewed.v1', 'pay_1', 7)], at(8));
    await Promise.all(waiting);
  });

  it('give news that came before the payment was known, while something was done about it', async () => {
    const { notifier, renewals } = create();
    notifier.processed([event('renewed.v1', 'pay_0', 5)], at(5));
    const news = renewals.beginNews();
    notifier.processed([event('renewed.v1', 'pay_1', 6)], at(6));
    await news.waitFor('pay_1', LIMIT_MS);
    const of = { earlier: false };
    const other = renewals.beginNews();
    void other.waitFor('pay_0', LIMIT_MS).then(() => (of.earlier = true));
    await nextTurn();
    expect(of.earlier).toBe(false);
    notifier.processed([event('renewed.v1', 'pay_0', 7)], at(7));
    await nextTurn();
    expect(of.earlier).toBe(true);
  });

  it('give news when a charge stays pending at the gateway', async () => {
    const { notifier, renewals } = create();
    const waiting = renewals.waitForNews('pay_1', LIMIT_MS);
    const pending = { ...event('x', '', 7), type: 'payment.pending.v1' };
    notifier.processed([{ ...pending, streamName: 'payment-pay_1' }], at(8));
    await waiting;
  });

  it('are not waited for beyond the limit', async () => {
    await create().renewals.waitForNews('pay_1', 1);
  });
});
