export { type CatchUpOptions, runCatchUp } from './catch-up.js';
export { type CommandHandler, createCommandHandler, type Loaded } from './command-handler.js';
export type { CommandOptions } from './command-run.js';
export type { Accepted, CommandResult, HandlerRejection } from './earlier-answer.js';
export { type Envelope, eventsToAppend } from './envelope.js';
export { connectEventStore } from './connect.js';
export {
  type EventStore,
  type EventToAppend,
  type ExpectedRevision,
  type FactBatch,
  type FeedItem,
  RevisionConflict,
} from './event-store.js';
export { START } from './position.js';
export { createProgress, type Progress } from './progress.js';
export { ensureStoreIdentity } from './store-identity.js';
export { UndecodableFact, type UndecodableItem } from './undecodable.js';
export type { Upcaster } from './upcasters.js';
