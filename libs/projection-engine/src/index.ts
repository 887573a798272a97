export type { Document } from './document.js';
export type { DocumentPage, DocumentPageOptions } from './document-page.js';
export type { DueSubscription } from './due.js';
export { type LedgerIdentity, partitionTag } from './keys.js';
export { requireSameLedger, watchLedger } from './ledger-watch.js';
export { createReadModels, type ReadModels } from './read-models.js';
export { type Checkpoint, decodeCheckpoint, encodeCheckpoint, NOTHING } from './checkpoint.js';
export { type CommitOutcome, FencedCheckpoint } from './fenced-checkpoint.js';
export { parkedAt, type ParkedStream, ParkedStreams, RebuildStopped } from './parked-streams.js';
export { LEASE_LOOK_MS, LEASE_MS } from './limits.js';
export { LeaseKeeper, type PartitionWorker } from './leases/lease-keeper.js';
export {
  type Fence,
  Fenced,
  type Lease,
  type LeaseKeys,
  Leases,
  runFenced,
} from './leases/leases.js';
export { runProjector } from './projector-run.js';
export { connectForReading } from './redis.js';
export type { WaitOptions } from './watermark.js';
