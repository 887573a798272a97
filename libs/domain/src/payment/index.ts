export { paymentAggregate, type PaymentCommand, type PaymentRejection } from './payment.decide.js';
export {
  type ChargeRequest,
  type Decline,
  DECLINE_CLASSES,
  type DeclineClass,
  type DeclineReason,
  GIVEN_UP,
  type NotedPayment,
  type PaymentEvent,
  type PaymentMethodDetails,
  type PaymentRefundRequested,
} from './payment.events.js';
export {
  LINE_KINDS,
  type PaymentLine,
  type ItemOrigin,
  orderLines,
  periodLines,
  type PriceOrigin,
  sumLines,
  totalTax,
} from './payment.lines.js';
export { quoteCreditRefund, withAddedTax } from './payment.credit-refund.js';
export { findOpenRefund, isRefundMade } from './payment.refund-state.js';
export { taxInRefund } from './payment.refund-tax.js';
export { isOfSubscription, isOwnSubject } from './payment.messages.js';
export {
  type BillingPeriod,
  changesSubscription,
  findOrderId,
  findReference,
  findSubscriptionId,
  isOffSession,
  type PaymentPurpose,
  paysOrder,
  type PurposeOutline,
  renewsSubscription,
  startsSubscription,
} from './payment.purpose.js';
export {
  isGivenUp,
  noPayment,
  type Payment,
  PAYMENT_TRANSITIONS,
  type PaymentStatus,
  type RequestedPayment,
} from './payment.state.js';
export { evolvePaymentSummary, type PaymentSummary, type ShownPayment } from './payment.summary.js';
