import { describe, expect, it } from 'vitest';
import { given } from '../decider/spec-support/given.js';
import { type PaymentCommand, paymentAggregate } from './payment.decide.js';
import type { ChargeRequest, PaymentEvent } from './payment.events.js';
import { taxedLines } from './spec-support/lines.js';
import * as events from './spec-support/payments.js';
import { periodCharge } from './spec-support/period-charge.js';

const { decider } = paymentAggregate;

/** The life of a payment (rules/payments 6), row by row. */
const { decline, fold: after, method, T0, usd } = events;
const T1 = '2027-01-31T10:00:01.000Z';
const T2 = '2027-02-03T08:00:00.000Z';
const month = { start: T0, end: '2027-02-28T10:00:00.000Z' };
const charge: ChargeRequest = {
  ...periodCharge({ subscriptionId: 'sub_1', amount: usd('999'), start: T0, number: 1 }),
  ...{ paymentId: 'pay_1', appId: 'app_1', player: '5f2a9c04d1e84b7796ab30c2d4e5f601' },
  ...{ checkoutLinkId: 'link_1', paymentMethod: 'pm_ok', personal: {} },
  lines: taxedLines(usd('922'), usd('77'), month),
};
const asked = events.requested(charge);
const captured = events.capturedAt(T1);
const declined = events.declinedAt(T1);
const disputed = (amount: string) => events.opened('dsp_1', amount, T2);
const closed = (won: boolean) => events.closed('dsp_1', won, T2);
const refund = (amount: string) => events.refunded('ref_1', amount, T2);
const refundCommand = { kind: 'RequestRefund', refundId: 'ref_1', now: T2 } as const;
const captureCommand: PaymentCommand = { kind: 'CapturePayment', method, now: T1 };
const declineCommand: PaymentCommand = { kind: 'DeclinePayment', decline, method, now: T1 };

describe('a payment', () => {
  it('is pending once it was asked for, and is asked for once', () => {
    const request: PaymentCommand = { kind: 'RequestPayment', charge, now: T0 };
    expect(given(decider).when(request)).toEqual([asked]);
    expect(after(asked)).toMatchObject({ status: 'PENDING', capturedAt: null, updatedAt: T0 });
    expect(given(decider, asked).when(request)).toEqual([]);
  });

  it('is not asked for where its lines do not add up to its amount', () => {
    const request = (...lines: ChargeRequest['lines']) =>
      given(decider).when({ kind: 'RequestPayment', charge: { ...charge, lines }, now: T0 });
    const [recurring, tax] = charge.lines;
    const cent = { ...recurring!, amount: usd('1') };
    expect(() => request(recurring!)).toThrow('pay_1 add up to 922 USD, not to 999 USD');
    expect(() => request(recurring!, tax!, cent)).toThrow('1000 USD');
    expect(() =>
      request({ ...recurring!, amount: { amountMinor: '999', currency: 'EUR' } }),
    ).toThrow('999 EUR');
    expect(() => request()).toThrow('at least one line');
  });

  it('succeeds when it is captured', () => {
    expect(given(decider, asked).when(captureCommand)).toEqual([captured]);
    expect(after(asked, captured)).toMatchObject({
      status: 'SUCCEEDED',
      capturedAt: T1,
      updatedAt: T1,
      decline: null,
      method,
    });
  });

  it('fails when it is declined', () => {
    expect(given(decider, asked).when(declineCommand)).toEqual([declined]);
    expect(after(asked, declined)).toMatchObject({
      status: 'FAILED',
      failedAt: T1,
      decline,
      method,
    });
  });

  it('keeps its first outcome: a later answer of the gateway changes nothing', () => {
    for (const command of [captureCommand, declineCommand]) {
      expect(given(decider, asked, captured).when(command)).toEqual([]);
      expect(given(decider, asked, declined).when(command)).toEqual([]);
    }
  });

  it('that was never asked for is not found', () => {
    for (const command of [captureCommand, declineCommand, refundCommand]) {
      expect(given(decider).when(command)).toBe('payment/not_found');
    }
  });
});

describe('a payment that buys nothing', () => {
  const leave = { kind: 'LeavePaymentUnapplied', now: T2 } as const;
  const unapplied: PaymentEvent = { type: 'payment.unapplied.v1', data: { unappliedAt: T2 } };

  it('is left unapplied once it is captured, and once', () => {
    expect(given(decider, asked, captured).when(leave)).toEqual([unapplied]);
    expect(given(decider, asked, captured, unapplied).when(leave)).toEqual([]);
    expect(given(decider, asked, declined).when(leave)).toEqual([]);
    expect(given(decider).when(leave)).toBe('payment/not_found');
  });

  it('is a subject of its own from there on: what follows is numbered in its own stream', () => {
    const state = after(asked, captured, unapplied);
    expect(state).toMatchObject({ status: 'SUCCEEDED', unappliedAt: T2, messageCount: 1 });
    expect(after(asked, captured, unapplied, refund('999'))).toMatchObject({ messageCount: 2 });
    expect(after(asked, captured, refund('999'))).toMatchObject({ messageCount: 0 });
    expect(after(asked, declined)).toMatchObject({ messageCount: 1 });
  });
});

describe('a charge that the gateway leaves open', () => {
  const leave = { kind: 'LeavePaymentPending', now: T1 } as const;
  const pending: PaymentEvent = { type: 'payment.pending.v1', data: { pendingSince: T1 } };

  it('is recorded once, and stays pending', () => {
    expect(given(decider, asked).when(leave)).toEqual([pending]);
    expect(given(decider, asked, pending).when(leave)).toEqual([]);
    expect(after(asked, pending)).toMatchObject({ status: 'PENDING', pendingSince: T1 });
  });

  it('is settled by the later notice like any other, and then is not left open again', () => {
    expect(after(asked, pending, captured)).toMatchObject({ status: 'SUCCEEDED' });
    expect(after(asked, pending, declined)).toMatchObject({ status: 'FAILED' });
    for (const outcome of [captured, declined]) {
      expect(given(decider, asked, outcome).when(leave)).toEqual([]);
    }
  });
});

it('events that have no row in the table leave the state as it is', () => {
  for (const history of [
    [asked, declined, captured],
    [asked, refund('999')],
    [asked, closed(false)],
    [asked, declined, disputed('999')],
    [asked, captured, refund('999'), captured],
  ] as const) {
    expect(after(...history)).toEqual(after(...history.slice(0, -1)));
  }
});
