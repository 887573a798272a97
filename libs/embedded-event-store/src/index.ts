/** EventStoreDB's protocol on one machine: what the standalone and tests start. */
export { startEventStore } from './start-event-store.js';
export type { EventStoreOptions, RunningEventStore } from './start-event-store.js';
export { EventStoreStartRefused as StartRefused } from './failures.js';
