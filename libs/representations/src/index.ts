/** Every object has one shape, which only these renderers know (rules/api 9). */
export {
  findTransactionId,
  renderOrder,
  renderOrderItems,
  renderTotals,
  type WireOrder,
} from './order.js';
export { printExplainedPayment, renderLine } from './payment-lines.js';
export { PAYMENT_CONTEXTS, printPayment, renderPaymentObject } from './payment.js';
export { printPlan, renderPlan } from './plan.js';
export { renderSubscription } from './subscription.js';
