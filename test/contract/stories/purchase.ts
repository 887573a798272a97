import { checkoutLinkAggregate } from '#domain/checkout-link';
import { DEFAULT_DUNNING } from '#domain/dunning';
import { deriveCheckoutPaymentId, derivePeriodPaymentId, deriveSubscriptionId } from '#domain/ids';
import type { Money } from '#domain/money';
import {
  type ChargeRequest,
  type NotedPayment,
  paymentAggregate,
  type PaymentCommand,
  periodLines,
} from '#domain/payment';
import { planAggregate, planCodeAggregate } from '#domain/plan';
import { noTaxRates } from '#domain/pricing';
import { subscriptionAggregate, type SubscriptionTerms } from '#domain/subscription';
import { periodCharge } from '../../../libs/domain/src/payment/spec-support/period-charge.js';
import { play } from '../../support/play.js';

/**
 * A plan is sold, paid, declined at its renewal, recovered, canceled, taken back and ended: between them
 * these streams hold every event of a purchase, as the deciders write them.
 */
export const BOUGHT = '2027-01-31T10:00:00.000Z';
const DUE = '2027-02-28T10:00:00.000Z';
const RETRY = '2027-03-01T10:00:00.000Z';
export const LATER = '2027-03-10T12:30:00.000Z';
const END = '2027-03-31T10:00:00.000Z';

const appId = 'app_01gold';
const player = '5f2a9c04d1e84b7796ab30c2d4e5f601';
const price: Money = { amountMinor: '999', currency: 'USD' };
const period = { value: 1, unit: 'month' } as const;
const personal = { referenceId: 'p1.sealed.reference', metadata: 'p1.sealed.metadata' };

const decline = {
  reason: 'insufficient_funds',
  declineClass: 'soft',
  rawDeclineCode: '51',
} as const;
const method = { paymentMethodSubType: 'visa', issuerBank: 'Example Bank' };

/** A payment as other streams note it, at one of its events: its outcome by default. */
export function noted(paymentId: string, revision = 1): NotedPayment {
  return { paymentId, paymentRevision: revision };
}

/** Revisions of the payment that is played below. */
const CAPTURED = 2;
const REFUNDED_IN_PART = 4;
const REFUNDED = 6;

const planCode = { appId, segmentId: 'default', code: 'gold', planId: 'plan_01gold' };
export const planCodeEvents = play(planCodeAggregate.decider, {
  kind: 'ReservePlanCode',
  reservation: planCode,
});

export const plan = play(
  planAggregate.decider,
  {
    kind: 'CreatePlan',
    plan: {
      ...planCode,
      name: 'Gold',
      description: 'Gold pass',
      billingPeriod: period,
      prices: [price, { amountMinor: '980', currency: 'JPY' }],
      trial: { value: 7, unit: 'day' },
      benefitsJson: '{"gems":100}',
      ...{ trialOncePerPlayer: true, onePerPlayer: true, exclusiveGroup: 'passes' },
      availableFrom: BOUGHT,
      availableUntil: null,
      createdAt: BOUGHT,
    },
  },
  { kind: 'RevisePlan', changes: { name: 'Gold pass', availableUntil: END }, now: DUE },
  { kind: 'ChangePlanStatus', to: 'deprecated', now: RETRY },
  { kind: 'ChangePlanStatus', to: 'archived', now: LATER },
  { kind: 'ChangePlanStatus', to: 'active', now: END },
);

export const abandonedPlan = play(planAggregate.decider, { kind: 'AbandonPlan', now: LATER });

const attempt = {
  kind: 'AttemptCheckout',
  planIsAvailable: true,
  playerIsErased: false,
  taxRates: noTaxRates,
  now: BOUGHT,
  wallNow: BOUGHT,
} as const;
const attemptPaymentId = (number: number) =>
  deriveCheckoutPaymentId('link_01gold', { attempt: number, attemptedAt: BOUGHT });
export const renewalPaymentId = (number: number) =>
  derivePeriodPaymentId('sub_01gold', { dueAt: DUE, attempt: number });
export const checkoutLink = play(
  checkoutLinkAggregate.decider,
  {
    kind: 'CreateCheckoutLink',
    link: {
      linkId: 'link_01gold',
      appId,
      player,
      offer: {
        planId: planCode.planId,
        planName: 'Gold',
        planDescription: 'Gold pass',
        bounds: null,
        price,
        period,
        trial: null,
      },
      regionCode: 'US',
      language: 'de-AT',
      returnUrl: 'https://game.example/shop?tab=passes',
      personal,
      createdAt: BOUGHT,
      expiresAt: '2027-02-01T10:00:00.000Z',
    },
  },
  { ...attempt, paymentMethod: 'pm_decline_insufficient_funds' },
  { kind: 'DeclineCheckout', paymentId: attemptPaymentId(1), decline, now: BOUGHT },
  { ...attempt, paymentMethod: 'pm_ok' },
  {
    ...{ kind: 'AcceptPayment', ...noted(attemptPaymentId(2), CAPTURED) },
    ...{ capturedAt: BOUGHT, now: BOUGHT },
  },
  {
    kind: 'CompleteCheckout',
    subscriptionId: deriveSubscriptionId('link_01gold', BOUGHT),
    now: BOUGHT,
  },
  // The capture of a payment that the link did not keep.
  { kind: 'AcceptPayment', ...noted(attemptPaymentId(1)), capturedAt: LATER, now: LATER },
);

const terms: SubscriptionTerms = {
  subscriptionId: 'sub_01gold',
  appId,
  player,
  planId: planCode.planId,
  price,
  period,
  trial: null,
  paymentMethod: 'pm_ok',
  checkoutLinkId: 'link_01gold',
  regionCode: 'US',
  personal,
};
export const create = {
  kind: 'CreateSubscription',
  terms,
  initialPayment: noted('pay_01first', CAPTURED),
  now: BOUGHT,
} as const;
const settle = { kind: 'SettleRenewal', dunning: DEFAULT_DUNNING } as const;
const cancel = { kind: 'CancelSubscription', cancelAtPeriodEnd: true } as const;

export const subscription = play(
  subscriptionAggregate.decider,
  create,
  { kind: 'ProcessDueDate', dunning: DEFAULT_DUNNING, now: DUE },
  { ...settle, ...noted(renewalPaymentId(1)), outcome: decline, now: DUE },
  { kind: 'ProcessDueDate', dunning: DEFAULT_DUNNING, now: RETRY },
  { ...settle, ...noted(renewalPaymentId(2)), outcome: 'captured', now: RETRY },
  { ...cancel, now: LATER },
  { kind: 'ReactivateSubscription', now: LATER },
  { ...cancel, now: LATER },
  { kind: 'ProcessDueDate', dunning: DEFAULT_DUNNING, now: END },
);

/** Canceled while its renewal was pending at the gateway: the late capture is recorded. */
export const abandonedSubscription = play(
  subscriptionAggregate.decider,
  create,
  { kind: 'ProcessDueDate', dunning: DEFAULT_DUNNING, now: DUE },
  { ...cancel, now: RETRY },
  { ...settle, ...noted(renewalPaymentId(1)), outcome: 'captured', now: LATER },
);

/** Its first payment is given back in two parts. */
export const refundedSubscription = play(
  subscriptionAggregate.decider,
  create,
  { kind: 'RecordRefund', ...noted('pay_01first', REFUNDED_IN_PART), now: LATER },
  { kind: 'RecordRefund', ...noted('pay_01first', REFUNDED), now: LATER },
);

export const trialSubscription = play(subscriptionAggregate.decider, {
  ...create,
  terms: { ...terms, trial: { value: 7, unit: 'day' } },
  initialPayment: null,
});

const firstMonth = { start: BOUGHT, end: DUE };
export const periodPurpose = {
  ...{ kind: 'subscription_period' as const, subscriptionId: 'sub_01gold' },
  ...{ period: { number: 1, ...firstMonth }, attempt: 1 },
};
export const charge: ChargeRequest = {
  paymentId: 'pay_01first',
  appId,
  player,
  checkoutLinkId: 'link_01gold',
  regionCode: 'US',
  purpose: periodPurpose,
  amount: price,
  lines: periodLines(
    {
      amount: price,
      tax: {
        amount: { amountMinor: '77', currency: 'USD' },
        inclusive: true,
        rate: { rate: '0.0835', version: 3 },
      },
    },
    firstMonth,
    { planId: 'plan_01gold', price, lockedAt: BOUGHT },
  ),
  paymentMethod: 'pm_ok',
  personal,
};
export const request = { kind: 'RequestPayment', charge, now: BOUGHT } as const;
export const capture = { kind: 'CapturePayment', method, now: BOUGHT } as const;
export const refund = { kind: 'RequestRefund', refundId: 'ref_01gold', now: LATER } as const;
export const refunded = { kind: 'ConfirmRefund', refundId: 'ref_01gold', now: LATER } as const;

/** A payment that is captured, and given back in two parts (rules/payments 13). */
export const payment = paid(
  request,
  { kind: 'LeavePaymentPending', now: BOUGHT },
  capture,
  { ...refund, amountMinor: '400' },
  refunded,
  { ...refund, refundId: 'ref_02gold' },
  { ...refunded, refundId: 'ref_02gold' },
);
/** The same after a refund that the gateway has refused: the refused amount remains. */
export const refundedPayment = paid(
  request,
  capture,
  { ...refund, refundId: 'ref_00gold' },
  { kind: 'FailRefund', refundId: 'ref_00gold', now: LATER },
  { ...refund, amountMinor: '400' },
  refunded,
  { ...refund, refundId: 'ref_02gold' },
  { ...refunded, refundId: 'ref_02gold' },
);
/** A payment that was captured too late to buy anything. */
export const unappliedPayment = paid(
  request,
  capture,
  { kind: 'LeavePaymentUnapplied', now: LATER },
  { kind: 'RequestRefund', refundId: 'ref_01gold', now: LATER },
  refunded,
);
/** A payment that was given up, and captured after all. */
export const givenUpPayment = paid(
  request,
  { kind: 'GiveUpPayment', now: LATER, wallNow: LATER },
  { ...capture, now: LATER },
);
export const declinedCheckout = paid(request, {
  kind: 'DeclinePayment',
  decline,
  method,
  now: BOUGHT,
});

/** A renewal without tax and metadata, in a currency of its own. */
export function renewalPaid(amount: Money, outcome: 'captured' | 'declined') {
  const renewal = {
    ...charge,
    paymentId: 'pay_01renewal2',
    checkoutLinkId: '',
    ...periodCharge({ subscriptionId: 'sub_01gold', amount, start: DUE, number: 2, attempt: 2 }),
    personal: {},
  };
  return paid(
    { kind: 'RequestPayment', charge: renewal, now: RETRY },
    outcome === 'captured'
      ? { ...capture, now: RETRY }
      : { kind: 'DeclinePayment', decline, method, now: RETRY },
  );
}

export function paid(...commands: PaymentCommand[]) {
  return play(paymentAggregate.decider, ...commands);
}
