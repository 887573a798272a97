/** Every object has one shape, which only these renderers know (rules/api 9). */
export {
  findTransactionId,
  renderOrder,
  renderOrderItems,
  renderTotals,
  type WireOrder,
} from './order.js';
export { printExplainedPayment, renderLine } from './payment-lines.js';
export { REFUND_REASONS, REFUND_STATUSES } from './payment-refunds.js';
export { PAYMENT_CONTEXTS, printPayment, renderPaymentObject } from './payment.js';
export { FINANCE_REFUSALS } from './finance-refusals.js';
export { PROJECTION_REFUSALS, sayProjectionRefusal } from './projection-refusals.js';
export { printPlan, renderPlan } from './plan.js';
export { renderCurrencyChange, renderSubscription } from './subscription.js';
export { describeNextOfOrder, describeOrderEvent } from './timeline/order-words.js';
export { describePaymentEvent } from './timeline/payment-words.js';
export { describeNext, describeSubscriptionEvent } from './timeline/subscription-words.js';
export { readTimeline, sayMoney, type TimelineEntry } from './timeline/timeline.js';
