/** Every object has one shape, the one that the interface prints; only these renderers know it (decisions 1). */
export { renderPayment, renderPaymentObject } from './payment.js';
export { renderPlan } from './plan.js';
export { renderSubscription } from './subscription.js';
