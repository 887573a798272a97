export type { IncomingAnswers, StoreCall } from './connection-call.js';
export { type CallOptions, StoreConnection } from './store-connection.js';
