export type { IncomingAnswers, StoreCall } from './store-call.js';
export { type CallOptions, StoreConnection } from './store-connection.js';
