import { describe, expect, it } from 'vitest';
import { addHours } from '../calendar/index.js';
import type { NotedPayment } from '../payment/index.js';
import {
  attempted,
  captured,
  charge,
  decline,
  declined,
  REVISION,
  follow,
  leads,
  link,
  price,
  T0,
  T1,
  terms,
  usd,
} from './spec-support/purchase.js';

/** Given an event and the state that it left, these steps follow: the same ones each time it is seen. */
const startedBy = (initialPayment: NotedPayment | null, now: string, of = terms) => [
  {
    kind: 'subscription',
    id: 'sub_1',
    command: { kind: 'CreateSubscription', terms: of, initialPayment, now },
  },
  {
    kind: 'checkout_link',
    id: 'link_1',
    command: { kind: 'CompleteCheckout', subscriptionId: 'sub_1', now },
  },
];

describe('charge on checkout attempt', () => {
  const on = 'checkout_link.attempted.v1';

  it('charges the price that the link was made with', () => {
    // A day later by the wall clock it is given up.
    const bound = { clock: 'wall', at: addHours(attempted.wallAttemptedAt, 24) };
    expect(follow(on, attempted, link)).toEqual(
      leads('charge_on_checkout_attempt', { kind: 'charge', charge, bound }),
    );
  });

  it('charges the tax that was agreed to, whatever the rates are by now', () => {
    const tax = { amount: usd('50'), inclusive: false, rate: { rate: '0.05', version: 1 } };
    const agreed = { ...attempted, charge: { amount: usd('1049'), tax } };
    expect(follow(on, agreed, link)).toMatchObject([
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

  it('starts a trial without a charge, then uses up the link', () => {
    const trial = { value: 1, unit: 'week' } as const;
    const onTrial = { ...link, offer: { ...link.offer, trial } };
    expect(follow(on, { ...attempted, paymentId: null, charge: null }, onTrial)).toEqual(
      leads('charge_on_checkout_attempt', ...startedBy(null, T0, { ...terms, trial } as never)),
    );
  });
});

it('accept on initial capture: the link is asked, it knows which of its attempts counts', () => {
  const noted = { paymentId: 'pay_2', paymentRevision: REVISION, capturedAt: T1 };
  const command = { kind: 'AcceptPayment', ...noted, now: T1 };
  expect(follow('payment.captured.v1', { capturedAt: T1 }, captured)).toEqual(
    leads('accept_on_initial_capture', { kind: 'checkout_link', id: 'link_1', command }),
  );
});

describe('subscribe on paid link', () => {
  const on = 'checkout_link.paid.v1';
  const payment = { paymentId: 'pay_2', paymentRevision: 1 };
  // The link's last event came from a machine whose clock is ahead.
  const paid = { ...payment, capturedAt: T1, paidAt: '2027-01-31T10:00:01.700Z' };

  it('starts the subscription at the moment of the capture, then uses up the link', () => {
    expect(follow(on, paid, { ...link, paidBy: 'pay_2' })).toEqual(
      leads('subscribe_on_paid_link', ...startedBy(payment, T1)),
    );
  });

  it('keeps the payment method that paid: that of the last attempt', () => {
    const other = { ...attempted, attempt: 3, paymentMethod: 'pm_other', decline: null };
    const [output] = follow(on, paid, { ...link, attempts: [...link.attempts, other] });
    expect(output?.steps[0]).toMatchObject({ command: { terms: { paymentMethod: 'pm_other' } } });
  });
});

it('reopen link on initial decline: the link can be paid again', () => {
  const command = { kind: 'DeclineCheckout', paymentId: 'pay_2', decline, now: T1 };
  expect(follow('payment.declined.v1', { ...decline, failedAt: T1 }, declined)).toEqual(
    leads('reopen_link_on_initial_decline', { kind: 'checkout_link', id: 'link_1', command }),
  );
});

it('unapply on late checkout capture: the payment buys nothing', () => {
  const process = 'unapply_on_late_checkout_capture';
  const late = (wasCaptured: boolean) =>
    follow(
      'checkout_link.late_outcome_recorded.v1',
      { paymentId: 'pay_3', captured: wasCaptured, recordedAt: T1 },
      link,
    );
  const command = { kind: 'LeavePaymentUnapplied', now: T1 };
  expect(late(true)).toEqual(leads(process, { kind: 'payment', id: 'pay_3', command }));
  expect(late(false)).toEqual(leads(process));
});

it('refund on unapplied payment: it goes back', () => {
  const unapplied = { ...captured, unappliedAt: T1 };
  const command = { kind: 'ReturnPayment', now: T1 };
  expect(follow('payment.unapplied.v1', { unappliedAt: T1 }, unapplied)).toEqual(
    leads('refund_on_unapplied_payment', { kind: 'payment', id: 'pay_2', command }),
  );
});

it('refund on refund request: the gateway is asked', () => {
  const asked = { refundId: 'ref_1', amount: price, tax: null, requestedAt: T1 };
  const refund = { kind: 'refund', paymentId: 'pay_2', refundId: 'ref_1' };
  expect(follow('payment.refund_requested.v1', asked, captured)).toEqual(
    leads('refund_on_refund_request', refund),
  );
});
