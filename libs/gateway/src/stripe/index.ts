export { createStripeGateway } from './stripe-gateway.js';
export { createStripeNotices } from './stripe-notices.js';
export { createStripeBooks } from './stripe-books.js';
export { readStripePayout } from './stripe-payouts.js';
