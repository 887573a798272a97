export { createGateways } from './app-gateways.js';
export { createNoticeReaders } from './notice-readers.js';
