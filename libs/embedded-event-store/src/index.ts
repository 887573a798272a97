/** EventStoreDB's protocol on one machine, for the standalone and tests. */
export { startEventStore } from './start-event-store.js';
export type { EventStoreOptions, RunningEventStore } from './start-event-store.js';
export { EventStoreStartRefused as StartRefused } from './failures.js';
