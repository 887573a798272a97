import { describe, expect, it } from 'vitest';
import { DEFAULT_DUNNING } from '../dunning/index.js';
import { GIVEN_UP } from '../payment/index.js';
import {
  asRenewal,
  captured,
  charge,
  decline,
  declined,
  explainedFrom,
  REVISION,
  follow,
  leads,
  price,
  subscription,
  T1,
  taxRates,
  usd,
} from './spec-support/purchase.js';

describe('charge on renewal request', () => {
  const on = 'subscription.renewal_requested.v1';
  const month = { start: '2027-02-28T10:00:00.000Z', end: '2027-03-31T10:00:00.000Z' };
  const requested = {
    paymentId: 'pay_3',
    period: { number: 2, ...month },
    attempt: 3,
    amount: price,
    requestedAt: '2027-02-28T10:00:05.000Z',
    graceEndsAt: '2027-03-02T10:00:00.000Z',
  };

  it('charges what was asked for, by the payment method of the subscription', () => {
    // Its dates are settled before it is captured.
    const { length: _first, ...purpose } = charge.purpose;
    const renewal = {
      ...charge,
      paymentId: 'pay_3',
      paymentMethod: 'pm_renewal_declines',
      purpose: { ...purpose, period: { number: 2, ...month }, attempt: 3 },
      lines: [{ kind: 'recurring', amount: price, ...explainedFrom(month) }],
    };
    const bound = { clock: 'app', at: requested.graceEndsAt };
    expect(follow(on, requested, subscription)).toEqual(
      leads('charge_on_renewal_request', { kind: 'charge', charge: renewal, bound }),
    );
  });

  it('adds the tax of the region that the subscription was bought in', () => {
    expect(follow(on, requested, subscription, { taxRates })).toMatchObject([
      {
        steps: [
          {
            charge: {
              amount: usd('1049'),
              lines: [
                { kind: 'recurring', amount: price, origin: { planId: 'plan_1', price } },
                { kind: 'tax', amount: usd('50'), rate: { rate: '0.05', version: 1 } },
              ],
            },
          },
        ],
      },
    ]);
  });
});

describe('settle on renewal outcome', () => {
  const dunning = { ...DEFAULT_DUNNING, graceHours: 72, retryAfterHours: [12] };

  it.each([
    ['captured', captured, 'captured', { capturedAt: T1 }],
    ['declined', declined, decline, { ...decline, failedAt: T1 }],
  ])('gives the subscription the answer of the gateway: %s', (word, payment, outcome, data) => {
    const renewal = asRenewal(payment);
    const payer = { paymentId: 'pay_2', paymentRevision: REVISION };
    const command = { kind: 'SettleRenewal', ...payer, outcome, dunning, now: T1 };
    expect(follow(`payment.${word}.v1`, data, renewal, { dunning })).toEqual(
      leads('settle_on_renewal_outcome', { kind: 'subscription', id: 'sub_1', command }),
    );
  });
});

describe('a renewal that was given up', () => {
  const givenUp = { givenUpAt: T1, wallGivenUpAt: T1 };
  const payer = { paymentId: 'pay_2', paymentRevision: REVISION };

  it('is settled as such', () => {
    const failed = asRenewal({ ...declined, decline: GIVEN_UP, givenUp });
    const dunning = DEFAULT_DUNNING;
    const command = { kind: 'SettleRenewal', ...payer, outcome: 'given_up', dunning, now: T1 };
    const process = 'settle_on_renewal_outcome';
    expect(follow('payment.given_up.v1', { ...GIVEN_UP, ...givenUp }, failed)).toEqual(
      leads(process, { kind: 'subscription', id: 'sub_1', command }),
    );
  });

  it('and captured after all settles nothing: it is recorded once, to be given back', () => {
    const late = asRenewal({ ...captured, givenUp });
    const command = { kind: 'RecordLateCapture', ...payer, now: T1 };
    const commandId = 'record_late_capture pay_2';
    expect(follow('payment.captured.v1', { capturedAt: T1 }, late)).toEqual(
      leads('record_late_capture_of_renewal', {
        kind: 'subscription',
        id: 'sub_1',
        command,
        commandId,
      }),
    );
  });
});

it('refund on late renewal capture: of captures alone', () => {
  const process = 'refund_on_late_renewal_capture';
  const late = (wasCaptured: boolean) =>
    follow(
      'subscription.late_outcome_recorded.v1',
      { paymentId: 'pay_3', captured: wasCaptured, recordedAt: T1 },
      subscription,
    );
  const command = { kind: 'ReturnPayment', now: T1 };
  expect(late(true)).toEqual(leads(process, { kind: 'payment', id: 'pay_3', command }));
  expect(late(false)).toEqual(leads(process));
});

it.each([
  ['once its dispute is closed', true, ['pay_3'], 1],
  ['not while it is open', false, ['pay_3'], 0],
  ['not where it was in time', true, [], 0],
])('return late on closed dispute: %s', (_, closed, lateCaptures, times) => {
  const data = { paymentId: 'pay_3', paymentRevision: REVISION, closed, recordedAt: T1 };
  const command = { kind: 'ReturnPayment', now: T1 };
  const steps = Array<object>(times).fill({ kind: 'payment', id: 'pay_3', command });
  expect(
    follow('subscription.dispute_recorded.v1', data, { ...subscription, lateCaptures }),
  ).toEqual(leads('return_late_on_closed_dispute', ...steps));
});

it.each([
  ['of one that goes back by itself', 'pay_2.late', 1],
  ['of a second try', 'pay_2.late.1', 1],
  ["not of a studio's", 'ref_1', 0],
])('return again on refused return: %s', (_, refundId, times) => {
  const command = { kind: 'ReturnPayment', now: T1 };
  const steps = Array<object>(times).fill({ kind: 'payment', id: 'pay_2', command });
  const process = 'return_again_on_refused_return';
  expect(follow('payment.refund_failed.v1', { refundId, failedAt: T1 }, captured)).toEqual([
    { process, steps },
    { process: 'record_failed_credit_refund', steps: [] },
  ]);
});

describe('record refund on refund', () => {
  const refunded = { refundId: 'ref_1', amount: price, refundedAt: T1 };

  it('is noted by the subscription, once for each refund', () => {
    const command = {
      kind: 'RecordRefund',
      paymentId: 'pay_2',
      paymentRevision: REVISION,
      now: T1,
    };
    const commandId = 'record_refund pay_2/7';
    expect(follow('payment.refunded.v1', refunded, captured)).toEqual(
      leads('record_refund_on_refund', { kind: 'subscription', id: 'sub_1', command, commandId }),
    );
  });

  it.each([
    [false, 'payment.dispute_opened.v1', { amount: price, openedAt: T1 }],
    [true, 'payment.dispute_closed.v1', { won: true, closedAt: T1 }],
  ])('a dispute is noted, too, once for each event of it: closed %p', (closed, type, about) => {
    const noted = { paymentId: 'pay_2', paymentRevision: REVISION };
    const command = { kind: 'RecordDispute', ...noted, closed, endsSubscription: false, now: T1 };
    const commandId = 'record_dispute pay_2/7';
    const data = { disputeId: 'dsp_1', ...about };
    expect(follow(type, data, captured)).toEqual(
      leads('record_dispute_on_dispute', { kind: 'subscription', id: 'sub_1', command, commandId }),
    );
    const ofUnapplied = follow(type, data, { ...captured, unappliedAt: T1 });
    const process = 'return_on_closed_dispute';
    const back = { kind: 'ReturnPayment', now: T1 };
    const steps = [{ kind: 'payment', id: 'pay_2', command: back }];
    expect(ofUnapplied).toEqual(closed ? [{ process, steps }] : []);
  });

  it.each([
    [false, 'end', true],
    [false, 'keep', false],
    [true, 'end', false],
  ] as const)('a dispute with won %p, in an app that wants %s, ends it: %p', (won, want, ends) => {
    const data = { disputeId: 'dsp_1', won, closedAt: T1 };
    const needs = { onLostDispute: want };
    expect(follow('payment.dispute_closed.v1', data, captured, needs)).toMatchObject([
      { steps: [{ command: { kind: 'RecordDispute', endsSubscription: ends } }] },
    ]);
  });

  it('is not noted where the payment bought nothing', () => {
    const unapplied = { ...captured, unappliedAt: T1 };
    expect(follow('payment.refunded.v1', refunded, unapplied)).toEqual([]);
  });
});
