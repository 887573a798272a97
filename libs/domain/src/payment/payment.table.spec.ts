import { describe, expect, it } from 'vitest';
import { GIVEN_UP, type PaymentEvent } from './payment.events.js';
import * as events from './spec-support/payments.js';
import { evolvePayment, noPayment, type Payment, PAYMENT_TRANSITIONS } from './payment.state.js';

const { capturedAt, refundAsked: askRefund, refunded, T0: AT, usd } = events;
const asked = events.requested({ amount: usd('900'), checkoutLinkId: '' });
const captured = capturedAt(AT);
const declined = events.declinedAt(AT);
const givenUp: PaymentEvent = {
  type: 'payment.given_up.v1',
  data: { ...GIVEN_UP, givenUpAt: AT, wallGivenUpAt: AT },
};
const challenged: PaymentEvent = {
  type: 'payment.challenged.v2',
  data: { sealedUrl: 'https://bank.example/1', challengedAt: AT },
};
const refund = (amount: string, refundId: string) => refunded(refundId, amount, AT);
const refundAsked = askRefund('b', '1', AT);
const disputed = (amount: string) => events.opened('dsp_1', amount, AT);
const closed = (won: boolean) => events.closed('dsp_1', won, AT);
/** Another dispute of the same payment. */
const other = events.opened('dsp_2', '50', AT);

/** Histories that lead to every state there is, to some by more than one way. */
const HISTORIES: readonly (readonly PaymentEvent[])[] = [
  [],
  [asked],
  [asked, declined],
  [asked, givenUp],
  [asked, captured],
  [asked, captured, refund('100', 'a')],
  [asked, captured, refund('900', 'a')],
  [asked, captured, refund('100', 'a'), refund('800', 'c')],
  [asked, captured, refundAsked],
  [asked, captured, refund('100', 'a'), refundAsked],
  [asked, captured, refundAsked, disputed('100')],
  [asked, captured, refundAsked, disputed('900'), closed(false)],
  [asked, captured, disputed('900')],
  [asked, captured, disputed('100')],
  [asked, captured, disputed('100'), other],
  [asked, captured, refund('100', 'a'), disputed('800')],
];
const EVENTS: readonly PaymentEvent[] = [
  asked,
  { type: 'payment.pending.v1', data: { pendingSince: AT } },
  challenged,
  captured,
  declined,
  givenUp,
  refundAsked,
  events.refundFailed('b', '1', AT),
  events.refundFailed('a', '1', AT),
  refund('1', 'b'),
  refund('800', 'b'),
  refund('900', 'b'),
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
    const amount = { amountMinor: '900', currency: 'JPY' };
    const data = { refundId: 'a', amount, refundedAt: AT };
    const state = after([asked, captured, { type: 'payment.refunded.v1', data }]);
    expect(state).toMatchObject({ status: 'SUCCEEDED', totalRefunded: usd('0') });
  });

  it('begin with nothing known of the payment method', () => {
    const unknown = { paymentMethodSubType: '', issuerBank: '' };
    expect(after([asked])).toMatchObject({ status: 'PENDING', method: unknown });
  });
});
