export { TooLargeToAppend } from './too-large-to-append.js';
export { type CatchUpOptions, runCatchUp } from './catch-up.js';
export { type CommandExecutor, createCommandExecutor, type Loaded } from './command-executor.js';
export type { CommandOptions } from './command-execution.js';
export type { Accepted, CommandResult, ExecutorRejection } from './earlier-answer.js';
export { type CommandContext, eventsToAppend } from './command-context.js';
export { eventOfNoApp } from './event-of-no-app.js';
export {
  type EventStore,
  type EventToAppend,
  type ExpectedRevision,
  type EventBatch,
  type FeedItem,
  RevisionConflict,
} from './event-store.js';
export { foldEvents, unfolded } from './fold.js';
export { limitStream } from './limit-stream.js';
export type { Lifetimes } from './lifetimes.js';
export { requireSameLedger, watchLedger } from './ledger-watch.js';
export { LEDGER_LOOK_MS } from './limits.js';
export { LedgerMovedAway } from './ledger-moved-away.js';
export type { LedgerStore } from './ledger-store.js';
export type { Scavenge } from './scavenges.js';
export type { Truncation } from './truncations.js';
export { StoreExchanged } from './store-exchanged.js';
export { findLastPosition } from './last-position.js';
export {
  type LiveAggregate,
  type LiveAggregates,
  type LiveAggregatesOptions,
  openLiveAggregates,
} from './live-aggregates.js';
export type { LiveState } from './live-states.js';
export { requireNamespace } from './require-namespace.js';
export { type BucketRange, Partitions } from './partitions.js';
export {
  PARKED_RETRY_CATEGORY,
  PARKED_RETRY_REQUESTED,
  requestParkedRetry,
} from './parked-retries.js';
export { START } from './position.js';
export { StatesAtRevision } from './states-at-revision.js';
export { fromStoredData, toStoredForm } from './stored-form.js';
export { createProgress, type Progress } from './progress.js';
export {
  type Division,
  type KnownNamespace,
  type MovedTo,
  type NamespaceIdentity,
  toMoved,
} from './namespace-history.js';
export { MAX_PARTITIONS, Namespaces } from './namespaces.js';
export { findPlacesOfTime, recordTime, type PlacesOfTime } from './time-index.js';
export { UndecodableEvent, type UndecodableItem } from './undecodable.js';
export type { Upcaster } from './upcasters.js';
export { isAboutStream, type VerbatimEvent } from './verbatim/verbatim-event.js';
export {
  type FollowedItem,
  STREAM_ENDED,
  type VerbatimStreams,
} from './verbatim/verbatim-streams.js';
