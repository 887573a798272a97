import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { fromMilliseconds, PERIOD_UNITS, toMilliseconds } from '#domain/calendar';
import { DECLINE_CLASSES, type PaymentSummary } from '#domain/payment';
import { type StartedSubscription, SUBSCRIPTION_STATUSES } from '#domain/subscription';
import type { StateCodec } from '#projection-engine/define';
import { dueDates, type MaybeScheduled } from './due-dates.projection.js';
import { payments } from './payments.projection.js';
import { subscriptions } from './subscriptions.projection.js';

const text = fc.string({ unit: 'grapheme', maxLength: 8 });
const count = fc.nat(1_000);
const currency = fc.constantFrom('USD', 'JPY');
const money = fc.record({ amountMinor: fc.nat().map(String), currency });
/** Also a text that is no instant, or another form of one: a stream may hold it, and no one may stumble on it. */
const instant = fc.oneof(
  fc.integer({ min: 0, max: toMilliseconds('9999-12-31T23:59:59.999Z') }).map(fromMilliseconds),
  fc.constantFrom('2026-01-31T10:00:00.000Z', '2026-01-31T10:00:00Z', 'never', ''),
);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const period = fc.record({ value: count, unit: fc.constantFrom(...PERIOD_UNITS) });

const payment: fc.Arbitrary<PaymentSummary> = fc.record({
  paymentId: fc.constant('id'),
  ...{ appId: text, player: text, checkoutLinkId: text, amount: money },
  purpose: fc.oneof(
    fc.record({
      kind: fc.constantFrom(
        ...(['subscription_period', 'plan_change', 'payment_method_update'] as const),
      ),
      subscriptionId: text,
      period: fc.record({ number: count }),
      attempt: count,
    }),
    fc.record({ kind: fc.constant('order' as const), orderId: text, attempt: count }),
  ),
  tax: maybe(fc.record({ amount: money, inclusive: fc.boolean() })),
  status: fc.constantFrom(
    ...(['PENDING', 'SUCCEEDED', 'FAILED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'DISPUTED'] as const),
  ),
  ...{ requestedAt: instant, updatedAt: instant, messageCount: count, totalRefunded: money },
  ...{ pendingSince: maybe(instant), capturedAt: maybe(instant), failedAt: maybe(instant) },
  ...{ lastRefundAt: maybe(instant), unappliedAt: maybe(instant), refundIds: fc.array(text) },
  refundedTax: money,
  openRefunds: fc.array(
    fc.record({ refundId: text, amount: money, tax: maybe(money), requestedAt: text }),
  ),
  madeRefunds: fc.array(fc.record({ refundId: text, amount: money, tax: maybe(money) })),
  lostTotal: money,
  decline: maybe(
    fc.record({
      reason: fc.constant('card_declined' as const),
      declineClass: fc.constantFrom(...DECLINE_CLASSES),
      rawDeclineCode: text,
    }),
  ),
  method: fc.record({ paymentMethodSubType: text, issuerBank: text }),
  openDisputes: fc.array(fc.record({ disputeId: text, amount: money })),
  disputeIds: fc.array(text),
  lastDispute: maybe(fc.record({ total: money, won: maybe(fc.boolean()) })),
  givenUp: maybe(fc.record({ givenUpAt: instant, wallGivenUpAt: instant })),
});

const progress = {
  status: fc.constantFrom(...SUBSCRIPTION_STATUSES),
  ...{ periodsPaid: count, currentPeriodEnd: instant, canceledAt: maybe(instant) },
  ...{ cancelAtPeriodEnd: fc.boolean(), expiredAt: maybe(instant), messageCount: count },
  dunning: maybe(
    fc.record({
      ...{ firstFailedAt: instant, graceEndsAt: instant },
      ...{ failedAttempts: count, nextRetryAt: maybe(instant) },
      schedule: fc.record({
        retriesAt: fc.array(instant),
        retriedDeclineClasses: fc.array(fc.constantFrom(...DECLINE_CLASSES)),
      }),
    }),
  ),
  pendingCharge: maybe(
    fc.record({
      ...{ paymentId: text, attempt: count, amount: money },
      period: fc.record({ number: count, start: instant, end: instant }),
      ...{ requestedAt: instant, graceEndsAt: instant },
    }),
  ),
  pendingChange: maybe(
    fc.record({
      ...{ linkId: text, paymentId: text, attempt: count, paymentMethod: text },
      ...{ plan: fc.constant(null), openPeriod: fc.constant(null), lines: fc.constant([]) },
      ...{ period: fc.record({ number: count, start: instant, end: instant }) },
      requestedAt: instant,
    }),
  ),
  scheduledChange: maybe(
    fc.record({
      plan: fc.record({ planId: text, price: money, period }),
      effectiveAt: instant,
      movesCurrency: fc.boolean(),
    }),
  ),
};

const subscription: fc.Arbitrary<StartedSubscription> = fc.record({
  subscriptionId: fc.constant('id'),
  ...{ appId: text, player: text, planId: text, price: money },
  ...{ period, trial: maybe(period), paymentMethod: text, checkoutLinkId: text },
  regionCode: text,
  personal: fc.record({ referenceId: text, metadata: text }, { requiredKeys: [] }),
  ...{ createdAt: instant, trialEnd: maybe(instant), billingAnchor: instant },
  billingDay: fc.integer({ min: 1, max: 31 }),
  ...{ periodsBeforeAnchor: count, currentPeriodStart: instant, priceLockedAt: instant },
  paidBy: maybe(text),
  lateCaptures: fc.array(text, { maxLength: 2 }),
  ...{ claimId: text, scheduledClaimId: text, freedClaimIds: fc.array(text, { maxLength: 2 }) },
  ...progress,
});

const ofApp = { appId: text, environment: fc.constantFrom('test' as const, 'production' as const) };

const scheduled: fc.Arbitrary<MaybeScheduled> = fc.oneof(
  fc.record({ ...progress, ...ofApp }),
  fc.record({
    status: fc.constant('ordered' as const),
    ...{ isOpen: fc.boolean(), expiresAt: instant, lastAttempt: count, ...ofApp },
    openAttempts: fc.array(fc.record({ attempt: count, paymentId: text, attemptedAt: instant })),
  }),
);

describe('what is stored of a document', () => {
  const reads = <State extends { readonly status: string }>(
    codec: StateCodec<State> | undefined,
    states: fc.Arbitrary<State>,
  ) => {
    const none = { status: 'none' } as unknown as State;
    fc.assert(
      fc.property(fc.oneof(states, fc.constant(none)), (state) => {
        const stored = JSON.stringify(codec?.pack(state, 'id'));
        expect(codec?.unpack(JSON.parse(stored) as unknown[], 'id')).toEqual(state);
      }),
    );
  };

  it('of a payment is all of it', () => reads(payments.codec, payment));
  it('of a subscription is all of it', () => reads(subscriptions.codec, subscription));
  it('of a due date is all of it', () => reads(dueDates.codec, scheduled));
});
