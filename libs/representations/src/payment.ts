import { toMajor } from '#domain/money';
import type { RequestedPayment } from '#domain/payment';

/** A payment as the payments list shows it (interface 2.1). */
export interface WirePayment {
  readonly paymentId: string;
  readonly amountCents: string;
  readonly currency: string;
  readonly totalTaxAmountCents: string;
  readonly taxInclusive: boolean;
  readonly succeeded: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly status: string;
  readonly paymentContext: string;
  readonly checkoutLinkId: string;
  readonly enrichmentFields: {
    readonly subscriptionId: string;
    readonly externalAccountId: string;
    readonly normalizedDeclineClass: string;
    readonly rawDeclineCode: string;
    readonly paymentMethodSubType: string;
    readonly issuerBank: string;
  };
}

/** Renders a payment for REST: minor units as strings, `""` for what is not set (decisions 1, 7). */
export function renderPayment(state: RequestedPayment): WirePayment {
  return {
    paymentId: state.paymentId,
    amountCents: state.amount.amountMinor,
    currency: state.amount.currency,
    totalTaxAmountCents: state.tax?.amountMinor ?? '0',
    taxInclusive: state.taxInclusive,
    succeeded: state.capturedAt !== null,
    createdAt: state.requestedAt,
    updatedAt: state.updatedAt,
    status: `SUBSCRIPTION_PAYMENT_STATUS_${state.status}`,
    paymentContext: `PAYMENT_CONTEXT_${state.context}`,
    checkoutLinkId: state.checkoutLinkId,
    enrichmentFields: {
      subscriptionId: subscriptionIdOf(state) ?? '',
      externalAccountId: state.externalAccountId,
      normalizedDeclineClass: state.decline?.declineClass ?? '',
      rawDeclineCode: state.decline?.rawDeclineCode ?? '',
      paymentMethodSubType: state.method.paymentMethodSubType,
      issuerBank: state.method.issuerBank,
    },
  };
}

/** The subscription that a payment is of; a first payment that failed is of none (decisions 6). */
export function subscriptionIdOf(state: RequestedPayment): string | undefined {
  return state.context === 'INITIAL' && state.capturedAt === null
    ? undefined
    : state.subscriptionId;
}

/** The payment object of webhooks (interface 2.5): amounts in major units, fields by event. */
export type WirePaymentObject = Readonly<Record<string, unknown>>;

/** The part that every payment and dispute webhook has, followed by what the event adds. */
export function renderPaymentObject(
  state: RequestedPayment,
  event: 'succeeded' | 'failed' | 'refunded',
): WirePaymentObject {
  const subscriptionId = subscriptionIdOf(state);
  return {
    id: state.paymentId,
    external_account_id: state.externalAccountId,
    currency: state.amount.currency,
    ...(subscriptionId !== undefined && { subscription_id: subscriptionId }),
    ...fieldsOf(state, event),
    ...(Object.keys(state.metadata).length > 0 && { metadata: state.metadata }),
  };
}

function fieldsOf(
  state: RequestedPayment,
  event: 'succeeded' | 'failed' | 'refunded',
): WirePaymentObject {
  const charged = {
    ...(state.tax !== null && { tax: toMajor(state.tax) }),
    total: toMajor(state.amount),
  };
  switch (event) {
    case 'succeeded':
      return { succeeded_at: state.capturedAt, ...charged };
    case 'failed':
      return { failed_at: state.failedAt, reason: state.decline?.reason ?? 'unknown', ...charged };
    case 'refunded':
      return { refunded_at: state.lastRefundAt, total_refunded: toMajor(state.totalRefunded) };
  }
}
