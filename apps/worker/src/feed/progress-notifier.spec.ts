import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '#domain/event';
import { Notices } from './progress-notifier.js';

const at = (n: number) => String(n).padStart(20, '0');
const event = (type: string, paymentId: string, position: number) =>
  // Notices look at these fields alone.
  ({
    type: `subscription.${type}.v1`,
    data: { paymentId },
    streamName: 'subscription-sub_1',
    position: at(position),
    metadata: { appId: 'app_1' },
  }) as unknown as RecordedEvent;

describe('notices', () => {
  it('tell who waits that a charge is settled, and where', async () => {
    const notices = new Notices();
    const waiting = [notices.settled('pay_1', 1_000), notices.settled('pay_1', 1_000)];
    notices.workedOff([event('renewed', 'pay_2', 6), event('renewed', 'pay_1', 7)], at(8));
    expect(await Promise.all(waiting)).toEqual([at(7), at(7)]);
  });

  it('tell who waits that a charge stays pending at the gateway', async () => {
    const notices = new Notices();
    const waiting = notices.settled('pay_1', 1_000);
    const pending = { ...event('x', '', 7), type: 'payment.pending.v1' };
    notices.workedOff([{ ...pending, streamName: 'payment-pay_1' }], at(8));
    expect(await waiting).toBe(at(7));
  });

  it('give up after the limit', async () => {
    expect(await new Notices().settled('pay_1', 1)).toBeUndefined();
    expect(await new Notices().reached(at(1), 1)).toBe(false);
  });

  it('tell when a position is reached, at once when it is behind', async () => {
    const notices = new Notices();
    const waiting = notices.reached(at(5), 1_000);
    notices.workedOff([], at(4));
    notices.workedOff([], at(5));
    expect(await waiting).toBe(true);
    expect(await notices.reached(at(3), 1)).toBe(true);
  });

  it('know the renewals of an app that have asked for a charge, and when it last changed', () => {
    const { renewals } = new Notices();
    renewals.note(event('renewal_requested', 'pay_1', 3));
    renewals.note(event('renewal_requested', 'pay_2', 4));
    renewals.note(event('renewal_failed', 'pay_1', 5));
    const pending = { paymentId: 'pay_2', subscriptionId: 'sub_1' };
    expect(renewals.pendingOf('app_1')).toEqual([pending]);
    expect(renewals.pendingOf('app_2')).toEqual([]);
    expect(renewals.changedAt('app_1')).toBe(at(5));
    expect(
      renewals.note({ ...event('x', 'pay_2', 9), streamName: 'payment-pay_2' }),
    ).toBeUndefined();
    expect(renewals.changedAt('app_1')).toBe(at(5));
  });
});
