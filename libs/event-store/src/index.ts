export { TooLargeToAppend } from './client/errors.js';
export { type CatchUpOptions, findLastPosition, runCatchUp } from './follow/catch-up.js';
export {
  type CommandExecutor,
  createCommandExecutor,
  type Loaded,
} from './commands/command-executor.js';
export type { CommandOptions } from './commands/command-execution.js';
export type { Accepted, CommandResult, ExecutorRejection } from './commands/earlier-answer.js';
export { type CommandContext, eventsToAppend } from './commands/command-context.js';
export { eventOfNoApp, limitStream } from './streams/event-of-no-app.js';
export {
  type EventStore,
  type EventToAppend,
  type ExpectedRevision,
  type EventBatch,
  type FeedItem,
  RevisionConflict,
} from './streams/event-store.js';
export { createCodec } from './streams/codec.js';
export { foldEvent, foldEvents, unfolded } from './streams/fold.js';
export type { Lifetimes, Truncation } from './client/maintenance/stream-metadata.js';
export { readLog } from './follow/read-log.js';
export { requireSameLedger, StoreExchanged, watchLedger } from './follow/ledger-watch.js';
export { LEDGER_POLL_MS } from './streams/limits.js';
export { LedgerMovedAway } from './streams/ledger-moved-away.js';
export type { LedgerStore } from './client/ledger-store.js';
export type { Scavenge } from './client/maintenance/scavenges.js';
export {
  type LiveAggregate,
  type LiveAggregates,
  type LiveAggregatesOptions,
  openLiveAggregates,
} from './follow/live-aggregates.js';
export type { LiveState } from './follow/live-states.js';
export { requireNamespace } from './client/dial/require-namespace.js';
export { type BucketRange, Partitions } from './streams/partitions.js';
export {
  PARKED_RETRY_CATEGORY,
  PARKED_RETRY_REQUESTED,
  requestParkedRetry,
} from './follow/parked-retries.js';
export { START } from './streams/position.js';
export { StatesAtRevision } from './follow/states-at-revision.js';
export { fromStoredData, toStoredForm } from './streams/stored-form.js';
export { Progress } from './follow/progress.js';
export {
  type Division,
  type KnownNamespace,
  type MovedTo,
  type NamespaceIdentity,
  toMoved,
} from './streams/namespace-history.js';
export { MAX_PARTITIONS, Namespaces } from './streams/namespaces.js';
export { findPlacesOfTime, recordTime, type PlacesOfTime } from './streams/time-index.js';
export { UndecodableEvent, type UndecodableItem } from './streams/undecodable.js';
export type { Upcaster } from './streams/upcasters.js';
export {
  isAboutStream,
  STREAM_ENDED,
  type StoredEvent as VerbatimEvent,
} from './streams/stored-event.js';
export type { FollowedItem, VerbatimStreams } from './client/verbatim/verbatim-streams.js';
export { StreamNames } from './streams/stream-names.js';
