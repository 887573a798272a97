import { describe, expect, it } from 'vitest';
import { given } from '../decider/spec-support/given.js';
import { paymentAggregate } from './payment.decide.js';
import type { DisputeCommand } from './payment.disputes.js';
import type { PaymentEvent } from './payment.events.js';
import * as events from './spec-support/payments.js';

const { decider } = paymentAggregate;

/** Disputes of a payment, as the gateway tells of them (rules/payments 17). */
const { fold: after, refundAsked, refunded, T0, usd } = events;
const T1 = '2027-02-03T08:00:00.000Z';
const asked = events.requested();
const paid = [asked, events.capturedAt(T0)];
const open = (disputeId: string, amount: string): DisputeCommand => ({
  kind: 'OpenDispute',
  ...{ disputeId, amount: usd(amount), now: T1 },
});
const close = (disputeId: string, won: boolean, amount = '599'): DisputeCommand => ({
  kind: 'CloseDispute',
  ...{ disputeId, amount: usd(amount), won, now: T1 },
});
const opened = (disputeId: string, amount: string) => events.opened(disputeId, amount, T1);
const closed = (disputeId: string, won: boolean) => events.closed(disputeId, won, T1);

describe('a dispute', () => {
  it('is opened and closed once, however often the gateway tells', () => {
    const when = given(decider, ...paid).when(open('d1', '599'));
    expect(when).toEqual([opened('d1', '599')]);
    const during = [...paid, opened('d1', '599')];
    expect(given(decider, ...during).when(open('d1', '599'))).toEqual([]);
    expect(given(decider, ...during).when(close('d1', true))).toEqual([closed('d1', true)]);
    const over = [...during, closed('d1', true)];
    expect(given(decider, ...over).when(open('d1', '599'))).toEqual([]);
    expect(given(decider, ...over).when(close('d1', false))).toEqual([]);
  });

  it('whose closing comes first is opened and closed, and its opening comes too late', () => {
    const both = [opened('d1', '599'), closed('d1', false)];
    expect(given(decider, ...paid).when(close('d1', false))).toEqual(both);
    expect(given(decider, ...paid, ...both).when(open('d1', '599'))).toEqual([]);
    expect(after(...paid, ...both)).toMatchObject({
      status: 'PARTIALLY_REFUNDED',
      totalRefunded: usd('599'),
      lastDispute: { total: usd('599'), won: false },
    });
  });

  it('leaves the payment disputed until the last one of it is closed', () => {
    const two = [...paid, opened('d1', '300'), opened('d2', '200')];
    expect(after(...two).lastDispute).toEqual({ total: usd('500'), won: null });
    const one = after(...two, closed('d1', false));
    expect(one).toMatchObject({ status: 'DISPUTED', totalRefunded: usd('300') });
    expect(after(...two, closed('d1', false), closed('d2', true))).toMatchObject({
      status: 'PARTIALLY_REFUNDED',
      totalRefunded: usd('300'),
      lastDispute: { total: usd('200'), won: true },
    });
  });

  it('refuses refunds, and what was asked for before is made', () => {
    const during = [...paid, refundAsked('ref_1', '400', T0), opened('d1', '599')];
    const ask = { kind: 'RequestRefund', refundId: 'ref_2', now: T1 } as const;
    expect(given(decider, ...during).when(ask)).toBe('payment/not_refundable');
    const lost = after(...during, refunded('ref_1', '400', T0), closed('d1', false));
    expect(lost).toMatchObject({ status: 'REFUNDED', totalRefunded: usd('999') });
  });

  it('after one that was won opens anew', () => {
    const won = [...paid, opened('d1', '999'), closed('d1', true)];
    expect(given(decider, ...won).when(open('d2', '999'))).toEqual([opened('d2', '999')]);
  });

  it('of what was not captured is refused', () => {
    const when = (...history: PaymentEvent[]) => given(decider, ...history);
    expect(when(asked).when(open('d1', '1'))).toBe('payment/not_captured');
    expect(when(asked).when(close('d1', true))).toBe('payment/not_captured');
    expect(when().when(open('d1', '1'))).toBe('payment/not_found');
  });

  it('of a payment that was given back is known all the same, in whatever order it comes', () => {
    const [ask, made] = [refundAsked('ref_1', '999', T0), refunded('ref_1', '999', T0)];
    const back = [...paid, ask, made];
    expect(given(decider, ...back).when(open('d1', '999'))).toEqual([opened('d1', '999')]);
    const after1 = after(...back, opened('d1', '999'), closed('d1', false));
    const after2 = after(...paid, ask, opened('d1', '999'), made, closed('d1', false));
    expect(after1).toEqual(after2);
    expect(after1).toMatchObject({ status: 'REFUNDED', totalRefunded: usd('999') });
    const won = after(...back, opened('d1', '999'), closed('d1', true));
    expect(won).toMatchObject({ status: 'REFUNDED', totalRefunded: usd('999') });
  });

  it.each([[usd('0')], [usd('1000')], [{ amountMinor: '1', currency: 'JPY' }]])(
    'of %p, which is no part of the payment, is about the whole',
    (amount) => {
      const command = { kind: 'OpenDispute', disputeId: 'd1', amount, now: T1 } as const;
      expect(given(decider, ...paid).when(command)).toEqual([opened('d1', '999')]);
    },
  );

  it('is one of a hundred at most', () => {
    const many = Array.from({ length: 100 }, (_, index) => index).flatMap((index) => [
      opened(`d${index}`, '1'),
      closed(`d${index}`, true),
    ]);
    expect(given(decider, ...paid, ...many).when(open('d', '1'))).toBe('payment/too_many_disputes');
  });

  it('of a payment that buys nothing is a message of its own stream', () => {
    const unapplied: PaymentEvent = { type: 'payment.unapplied.v1', data: { unappliedAt: T0 } };
    const messages = [opened('d1', '999'), closed('d1', true)];
    expect(after(...paid, ...messages).messageCount).toBe(0);
    expect(after(...paid, unapplied, ...messages).messageCount).toBe(3);
  });
});
