import { describe, expect, it } from 'vitest';
import type { Money } from '../money/index.js';
import { GIVEN_UP, type PaymentEvent } from './payment.events.js';
import { periodCharge } from './spec-support/period-charge.js';
import { evolvePayment, noPayment, type Payment, PAYMENT_TRANSITIONS } from './payment.state.js';

const AT = '2027-01-31T10:00:00.000Z';
const usd = (amountMinor: string): Money => ({ amountMinor, currency: 'USD' });
const method = { paymentMethodSubType: 'visa', issuerBank: 'Bank' };

const asked: PaymentEvent = {
  type: 'payment.requested.v3',
  data: {
    ...periodCharge({ subscriptionId: 'sub_1', amount: usd('900'), start: AT, number: 1 }),
    paymentId: 'pay_1',
    appId: 'app_1',
    player: '5f2a9c04d1e84b7796ab30c2d4e5f601',
    checkoutLinkId: '',
    paymentMethod: 'pm_ok',
    personal: {},
    requestedAt: AT,
  },
};
const captured: PaymentEvent = { type: 'payment.captured.v1', data: { ...method, capturedAt: AT } };
const declined: PaymentEvent = {
  type: 'payment.declined.v1',
  data: {
    ...method,
    reason: 'unknown',
    declineClass: 'unknown',
    rawDeclineCode: '',
    failedAt: AT,
  },
};
const givenUp: PaymentEvent = {
  type: 'payment.given_up.v1',
  data: { ...GIVEN_UP, givenUpAt: AT, wallGivenUpAt: AT },
};
const challenged: PaymentEvent = {
  type: 'payment.challenged.v2',
  data: { sealedUrl: 'https://bank.example/1', challengedAt: AT },
};
const refund = (amount: Money, refundId: string): PaymentEvent => ({
  type: 'payment.refunded.v1',
  data: { refundId, amount, refundedAt: AT },
});
const refundAsked: PaymentEvent = {
  type: 'payment.refund_requested.v1',
  data: { refundId: 'b', amount: usd('1'), tax: null, requestedAt: AT },
};
const disputed = (amount: string): PaymentEvent => ({
  type: 'payment.dispute_opened.v1',
  data: { disputeId: 'dsp_1', amount: usd(amount), openedAt: AT },
});

const closed = (won: boolean): PaymentEvent => ({
  type: 'payment.dispute_closed.v1',
  data: { disputeId: 'dsp_1', won, closedAt: AT },
});

/** Another dispute of the same payment. */
const other: PaymentEvent = {
  type: 'payment.dispute_opened.v1',
  data: { disputeId: 'dsp_2', amount: usd('50'), openedAt: AT },
};

/** Histories that lead to every state there is, to some by more than one way. */
const HISTORIES: readonly (readonly PaymentEvent[])[] = [
  [],
  [asked],
  [asked, declined],
  [asked, givenUp],
  [asked, captured],
  [asked, captured, refund(usd('100'), 'a')],
  [asked, captured, refund(usd('900'), 'a')],
  [asked, captured, refund(usd('100'), 'a'), refund(usd('800'), 'c')],
  [asked, captured, refundAsked],
  [asked, captured, refund(usd('100'), 'a'), refundAsked],
  [asked, captured, refundAsked, disputed('100')],
  [asked, captured, refundAsked, disputed('900'), closed(false)],
  [asked, captured, disputed('900')],
  [asked, captured, disputed('100')],
  [asked, captured, disputed('100'), other],
  [asked, captured, refund(usd('100'), 'a'), disputed('800')],
];
const EVENTS: readonly PaymentEvent[] = [
  asked,
  { type: 'payment.pending.v1', data: { pendingSince: AT } },
  challenged,
  captured,
  declined,
  givenUp,
  refundAsked,
  { type: 'payment.refund_failed.v1', data: { refundId: 'b', amount: usd('1'), failedAt: AT } },
  { type: 'payment.refund_failed.v1', data: { refundId: 'a', amount: usd('1'), failedAt: AT } },
  refund(usd('1'), 'b'),
  refund(usd('800'), 'b'),
  refund(usd('900'), 'b'),
  { type: 'payment.unapplied.v1', data: { unappliedAt: AT } },
  disputed('100'),
  closed(true),
  closed(false),
];

const after = (history: readonly PaymentEvent[]) => history.reduce(evolvePayment, noPayment);

describe('the states of a payment', () => {
  it('change by the rows of the table: each of them happens, and nothing else does', () => {
    const moves = new Map<string, Set<Payment['status']>>();
    for (const history of HISTORIES) {
      const state = after(history);
      for (const event of EVENTS) {
        const next = evolvePayment(state, event);
        if (next === state) continue;
        const move = `${state.status} ${event.type}`;
        moves.set(move, (moves.get(move) ?? new Set()).add(next.status));
      }
    }
    const rows = PAYMENT_TRANSITIONS.map(
      ({ from, on, to }) => [`${from} ${on}`, new Set<Payment['status']>(to)] as const,
    );
    expect(moves).toEqual(new Map(rows));
  });

  it('stay failed for good where the gateway declined, and not where it was given up', () => {
    expect(after([asked, declined, captured])).toMatchObject({
      status: 'FAILED',
      capturedAt: null,
    });
    const failed = after([asked, givenUp]);
    expect(failed).toMatchObject({ status: 'FAILED', failedAt: AT, decline: GIVEN_UP });
    const late = { status: 'SUCCEEDED', capturedAt: AT, failedAt: null, decline: null };
    expect(evolvePayment(failed, captured)).toMatchObject({ ...late, givenUp: {} });
  });

  it('are not reached by money of another currency', () => {
    const state = after([asked, captured, refund({ amountMinor: '900', currency: 'JPY' }, 'a')]);
    expect(state).toMatchObject({ status: 'SUCCEEDED', totalRefunded: usd('0') });
  });

  it('begin with nothing known of the payment method', () => {
    const unknown = { paymentMethodSubType: '', issuerBank: '' };
    expect(after([asked])).toMatchObject({ status: 'PENDING', method: unknown });
  });
});
