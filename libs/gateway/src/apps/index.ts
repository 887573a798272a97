export { createGateways } from './app-gateways.js';
export { listBooks } from './all-books.js';
export { createNoticeReaders } from './notice-readers.js';
export type { Secrets } from './stripe-clients.js';
export { openPayouts } from './app-payouts.js';
