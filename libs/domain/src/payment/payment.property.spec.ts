import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { type PaymentCommand, paymentAggregate } from './payment.decide.js';
import type { Money } from '../money/index.js';
import type { ChargeRequest, PaymentEvent } from './payment.events.js';
import { periodLines, totalTax } from './payment.lines.js';
import { type Payment, PAYMENT_TRANSITIONS, refundable } from './payment.state.js';
import { evolvePaymentSummary, type ShownPayment } from './payment.summary.js';
import { taxedLines } from './spec-support/lines.js';

const { decider } = paymentAggregate;

const AT = '2027-01-31T10:00:00.000Z';
const method = { paymentMethodSubType: '', issuerBank: '' };
const decline = { reason: 'unknown', declineClass: 'unknown', rawDeclineCode: '' } as const;
const amount = fc.record({
  amountMinor: fc.bigInt({ min: 1n, max: 2_000n }).map(String),
  currency: fc.constantFrom('USD', 'USD', 'JPY'),
});
const id = fc.constantFrom('a', 'b', 'c');
const INTERVAL = { start: AT, end: '2027-02-28T10:00:00.000Z' };
const TAX = 51n;
const renewalCharge = (money: Money): ChargeRequest => ({
  paymentId: 'pay_1',
  appId: 'app_1',
  player: '5f2a9c04d1e84b7796ab30c2d4e5f601',
  checkoutLinkId: '',
  regionCode: 'US',
  purpose: {
    kind: 'subscription_period',
    subscriptionId: 'sub_1',
    period: { number: 2, ...INTERVAL },
    attempt: 1,
  },
  amount: money,
  lines: periodLines({ amount: money, tax: null }, INTERVAL, {
    ...{ planId: 'plan_1', price: money, lockedAt: AT },
  }),
  paymentMethod: 'pm_ok',
  personal: {},
});

/** Any event at all, whether or not it could ever come at that point. */
const anyEvent: fc.Arbitrary<PaymentEvent> = fc.oneof(
  amount.map((money): PaymentEvent => ({
    type: 'payment.requested.v3',
    data: { ...renewalCharge(money), requestedAt: AT },
  })),
  fc.constant<PaymentEvent>({ type: 'payment.pending.v1', data: { pendingSince: AT } }),
  fc.constant<PaymentEvent>({
    type: 'payment.challenged.v2',
    data: { sealedUrl: 'https://bank.example/1', challengedAt: AT },
  }),
  fc.constant<PaymentEvent>({ type: 'payment.captured.v1', data: { ...method, capturedAt: AT } }),
  fc.constant<PaymentEvent>({
    type: 'payment.declined.v1',
    data: { ...decline, ...method, failedAt: AT },
  }),
  fc.tuple(id, amount, fc.option(amount)).map(([refundId, money, tax]): PaymentEvent => ({
    type: 'payment.refund_requested.v1',
    data: { refundId, amount: money, tax, requestedAt: AT },
  })),
  fc.tuple(id, amount).map(([refundId, money]): PaymentEvent => ({
    type: 'payment.refund_failed.v1',
    data: { refundId, amount: money, failedAt: AT },
  })),
  fc.tuple(id, amount).map(([refundId, money]): PaymentEvent => ({
    type: 'payment.refunded.v1',
    data: { refundId, amount: money, refundedAt: AT },
  })),
  fc.constant<PaymentEvent>({ type: 'payment.unapplied.v1', data: { unappliedAt: AT } }),
  fc.tuple(id, amount).map(([disputeId, money]): PaymentEvent => ({
    type: 'payment.dispute_opened.v1',
    data: { disputeId, amount: money, openedAt: AT },
  })),
  fc.tuple(id, fc.boolean()).map(([disputeId, won]): PaymentEvent => ({
    type: 'payment.dispute_closed.v1',
    data: { disputeId, won, closedAt: AT },
  })),
);

const anyCommand: fc.Arbitrary<PaymentCommand> = fc.oneof(
  fc.constant<PaymentCommand>({ kind: 'LeavePaymentPending', now: AT }),
  fc.constant<PaymentCommand>({ kind: 'CapturePayment', method, now: AT }),
  fc.constant<PaymentCommand>({ kind: 'DeclinePayment', decline, method, now: AT }),
  fc.constant<PaymentCommand>({ kind: 'LeavePaymentUnapplied', now: AT }),
  fc
    .tuple(id, fc.bigInt({ min: -1n, max: 700n }).map(String))
    .map(([refundId, amountMinor]): PaymentCommand => ({
      kind: 'RequestRefund',
      refundId,
      amountMinor,
      now: AT,
    })),
  fc
    .tuple(
      fc.constantFrom(
        ...(['ConfirmRefund', 'ConfirmRefund', 'FailRefund', 'ReverseRefund'] as const),
      ),
      fc.oneof(id, fc.constantFrom('pay_1.late', 'pay_1.late.1')),
    )
    .chain(([end, refundId]) =>
      fc.constantFrom<PaymentCommand>(
        { kind: 'ReturnPayment', now: AT },
        { kind: 'RequestRefund', refundId, now: AT },
        { kind: end, refundId, now: AT },
      ),
    ),
  fc
    .tuple(id, fc.bigInt({ min: 0n, max: 1_100n }).map(String), fc.boolean(), fc.boolean())
    .map(([disputeId, amountMinor, opens, won]): PaymentCommand => {
      const dispute = { disputeId, amount: { amountMinor, currency: 'USD' }, now: AT };
      return opens
        ? { kind: 'OpenDispute', ...dispute }
        : { kind: 'CloseDispute', ...dispute, won };
    }),
);

describe('any history of a payment', () => {
  it('folds without an error, the same each time, and moves the status by the table alone', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 20 }), (history) => {
        let state: Payment = decider.initialState;
        for (const event of history) {
          const next = decider.evolve(state, event);
          if (next.status !== state.status) expect(isInTable(state, event, next)).toBe(true);
          state = next;
        }
        expect(history.reduce(decider.evolve, decider.initialState)).toEqual(state);
      }),
    );
  });
});

describe('what is shown of a payment', () => {
  it('is what its state says, whatever its history', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 20 }), (history) => {
        const shown = history.reduce<ShownPayment>(evolvePaymentSummary, { status: 'none' });
        const state = history.reduce(decider.evolve, decider.initialState);
        if (state.status === 'none') {
          expect(shown).toEqual(state);
          return;
        }
        const { personal: _personal, paymentMethod: _method, lines, ...rest } = state;
        const { challengedAt: _challengedAt, regionCode: _region, ...same } = rest;
        const { purpose: stated } = state;
        const dateless = (period: { number: number }) => ({ period: { number: period.number } });
        const purpose =
          stated.kind === 'order' ? stated : { ...stated, ...dateless(stated.period) };
        expect(shown).toEqual({ ...same, purpose, tax: totalTax(lines) });
      }),
    );
  });
});

describe('any series of commands', () => {
  it('conserves money: refunds and lost disputes add up, never above what was captured', () => {
    fc.assert(
      fc.property(fc.array(anyCommand, { maxLength: 30 }), (commands) => {
        const events = play(commands);
        const state = events.reduce(decider.evolve, decider.initialState);
        if (state.status === 'none') throw new Error('unreachable');
        const sum = sumRefunded(events);
        const lost = sumLost(events);
        // An amount that a dispute took while a refund of the same money was on its way is not there twice.
        const gone = sum + lost > 1_000n ? 1_000n : sum + lost;
        expect(BigInt(state.totalRefunded.amountMinor)).toBe(gone);
        expect(new Set(state.refundIds).size).toBe(state.refundIds.length);
        expect(new Set(state.refundIds)).toEqual(listEnded(events));
        const isCaptured = state.capturedAt !== null;
        const left = BigInt(refundable(state).amountMinor);
        const open = state.openRefunds.reduce(
          (all, { amount }) => all + BigInt(amount.amountMinor),
          0n,
        );
        expect(left).toBe(isCaptured && gone + open < 1_000n ? 1_000n - gone - open : 0n);
        expect(isCaptured || gone === 0n).toBe(true);
        const tax = BigInt(state.refundedTax.amountMinor);
        if (sum === 1_000n && lost === 0n) expect(tax).toBe(TAX);
        expect(tax >= 0n && tax <= TAX).toBe(true);
      }),
    );
  });
});

function isInTable(from: Payment, on: PaymentEvent, to: Payment): boolean {
  return PAYMENT_TRANSITIONS.some(
    (row) =>
      row.from === from.status && row.on === on.type && row.to.some((one) => one === to.status),
  );
}

/** The refunds that did not fail. */
function sumRefunded(events: readonly PaymentEvent[]): bigint {
  const made = new Map<string, bigint>();
  for (const { type, data } of events) {
    if (type === 'payment.refunded.v1') {
      expect(made.has(data.refundId)).toBe(false);
      made.set(data.refundId, BigInt(data.amount.amountMinor));
    }
    if (type === 'payment.refund_failed.v1') made.delete(data.refundId);
  }
  return [...made.values()].reduce((total, amount) => total + amount, 0n);
}

function listEnded(events: readonly PaymentEvent[]): Set<string> {
  const ends = events.filter(({ type }) =>
    ['payment.refunded.v1', 'payment.refund_failed.v1'].includes(type),
  );
  // Both of these types name their refund.
  return new Set(ends.map(({ data }) => (data as { refundId: string }).refundId));
}

function sumLost(events: readonly PaymentEvent[]): bigint {
  const opened = new Map<string, bigint>();
  let lost = 0n;
  for (const { type, data } of events) {
    if (type === 'payment.dispute_opened.v1')
      opened.set(data.disputeId, BigInt(data.amount.amountMinor));
    if (type === 'payment.dispute_closed.v1' && !data.won) lost += opened.get(data.disputeId) ?? 0n;
  }
  return lost;
}

function play(commands: readonly PaymentCommand[]): PaymentEvent[] {
  const [price, tax] = ['949', String(TAX)].map((minor) => ({
    amountMinor: minor,
    currency: 'USD',
  }));
  const charge: ChargeRequest = {
    ...renewalCharge({ amountMinor: '1000', currency: 'USD' }),
    lines: taxedLines(price!, tax!, INTERVAL),
  };
  const events: PaymentEvent[] = [];
  for (const command of [{ kind: 'RequestPayment', charge, now: AT } as const, ...commands]) {
    const state = events.reduce(decider.evolve, decider.initialState);
    const decision = decider.decide(command, state);
    if (decision.accepted) events.push(...decision.events);
  }
  return events;
}
