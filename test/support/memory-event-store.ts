/** The event store's twin in memory, for specs of programs: it is no part of the library's interface. */
export { MemoryEventStore } from '../../libs/event-store/src/streams/spec-support/memory-event-store.js';
