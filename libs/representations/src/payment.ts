import type { OpenedPersonalData, StudioNames } from '#domain/personal-data';
import { isCreditRefundId } from '#domain/ids';
import { toMajor, zero } from '#domain/money';
import {
  findSubscriptionId,
  isOwnSubject,
  type PaymentSummary,
  paysOrder,
  type PurposeOutline,
  type RequestedPayment,
  startsSubscription,
  totalTax,
} from '#domain/payment';

/**
 * Prints a payment for REST (rules/payments 7): minor units as strings, `""` for an unset field (rules/api 9). It is
 * JSON at once, since a page has up to a hundred of them, which takes half the time of making objects and printing
 * these. Text that is not our own is quoted; ids, amounts, instants and words of ours have nothing to escape.
 */
export function printPayment(
  state: PaymentSummary,
  { accountId, referenceId = '' }: StudioNames,
): string {
  const { paymentId, amount, tax, method, decline } = state;
  return (
    `{"paymentId":"${paymentId}"` +
    `,"amountCents":"${amount.amountMinor}"` +
    `,"currency":"${amount.currency}"` +
    `,"totalTaxAmountCents":"${tax?.amount.amountMinor ?? '0'}"` +
    `,"taxInclusive":${tax?.inclusive ?? false}` +
    `,"succeeded":${state.capturedAt !== null}` +
    `,"createdAt":"${state.requestedAt}"` +
    `,"updatedAt":"${state.updatedAt}"` +
    `,"status":"SUBSCRIPTION_PAYMENT_STATUS_${state.status}"` +
    `,"paymentContext":"PAYMENT_CONTEXT_${paymentContext(state.purpose)}"` +
    `,"checkoutLinkId":"${state.checkoutLinkId}"` +
    `,"referenceId":${quote(referenceId)}` +
    `,"enrichmentFields":{"subscriptionId":"${listedSubscriptionId(state)}"` +
    `,"externalAccountId":${quote(accountId)}` +
    `,"normalizedDeclineClass":"${decline?.declineClass ?? ''}"` +
    `,"rawDeclineCode":${quote(decline?.rawDeclineCode ?? '')}` +
    `,"paymentMethodSubType":${quote(method.paymentMethodSubType)}` +
    `,"issuerBank":${quote(method.issuerBank)}}}`
  );
}

/** A text as JSON has it. Few need an escape, and looking for one is faster than printing. */
function quote(text: string): string {
  return NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`;
}

const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Why a charge was made, as the wire names it (rules/payments 7): it follows from the purpose. */
export const PAYMENT_CONTEXTS = [
  'INITIAL',
  'RENEWAL',
  'RENEWAL_RETRY',
  'PLAN_CHANGE',
  'PAYMENT_METHOD_UPDATE',
  'UNSPECIFIED',
] as const;

type PaymentContext = (typeof PAYMENT_CONTEXTS)[number];

const CONTEXT_BY_KIND: Readonly<
  Record<PurposeOutline['kind'], (purpose: PurposeOutline) => PaymentContext>
> = {
  subscription_period: (purpose) => {
    if (startsSubscription(purpose)) return 'INITIAL';
    return purpose.attempt === 1 ? 'RENEWAL' : 'RENEWAL_RETRY';
  },
  plan_change: () => 'PLAN_CHANGE',
  payment_method_update: () => 'PAYMENT_METHOD_UPDATE',
  // Contexts are of subscriptions; an order's payment has none of them.
  order: () => 'UNSPECIFIED',
};

function paymentContext(purpose: PurposeOutline): PaymentContext {
  return CONTEXT_BY_KIND[purpose.kind](purpose);
}

/** The subscription in whose list of payments this one is; a first payment that failed is in none. */
function listedSubscriptionId(state: PaymentSummary): string {
  const { purpose, capturedAt } = state;
  return startsSubscription(purpose) && capturedAt === null ? '' : findSubscriptionId(purpose);
}

/** The payment object of webhooks (rules/webhooks 3): amounts in major units, fields by type. */
type WirePaymentObject = Readonly<Record<string, unknown>>;
type PaymentType =
  'payment.succeeded' | 'payment.failed' | 'payment.refunded' | 'dispute.opened' | 'dispute.closed';

/** Renders the part that every webhook of a payment has, with the fields of its type. */
export function renderPaymentObject(
  state: RequestedPayment,
  type: PaymentType,
  { accountId, referenceId, metadata }: OpenedPersonalData,
): WirePaymentObject {
  return {
    id: state.paymentId,
    external_account_id: accountId,
    currency: state.amount.currency,
    ...(isOfSubscription(state) && { subscription_id: findSubscriptionId(state.purpose) }),
    ...renderOutcome(state, type),
    ...(referenceId !== undefined && { reference_id: referenceId }),
    ...(metadata !== undefined && { metadata }),
  };
}

function isOfSubscription(state: RequestedPayment): boolean {
  return !paysOrder(state.purpose) && !isOwnSubject(state);
}

function renderOutcome(state: RequestedPayment, type: PaymentType): WirePaymentObject {
  const tax = totalTax(state.lines);
  const charged = {
    ...(tax !== null && { tax: toMajor(tax.amount) }),
    total: toMajor(state.amount),
  };
  switch (type) {
    case 'payment.succeeded':
      return { succeeded_at: state.capturedAt, ...charged };
    case 'payment.failed':
      return { failed_at: state.failedAt, reason: state.decline?.reason ?? 'unknown', ...charged };
    case 'payment.refunded':
      return {
        refunded_at: state.lastRefundAt,
        total_refunded: toMajor(state.totalRefunded),
        ...(isOfUnusedCredit(state) && { refund_reason: 'unused_credit' }),
      };
    case 'dispute.opened':
      return { total_disputed: renderDisputed(state) };
    case 'dispute.closed':
      return { total_disputed: renderDisputed(state), won: state.lastDispute?.won ?? false };
  }
}

/** Whether the last refund gave back time that a change of the plan did not use up (rules/payments 20). */
function isOfUnusedCredit({ paymentId, madeRefunds }: RequestedPayment): boolean {
  const last = madeRefunds.at(-1);
  return last !== undefined && isCreditRefundId(last.refundId, paymentId);
}

/** All that was in dispute, with the one that was opened or closed (rules/webhooks 3). */
function renderDisputed({ amount, lastDispute }: RequestedPayment): string {
  return toMajor(lastDispute?.total ?? zero(amount.currency));
}
