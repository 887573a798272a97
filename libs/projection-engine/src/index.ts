export type { CommitOutcome } from './apply-batch.js';
export {
  type Checkpoint,
  decodeCheckpoint,
  encodeCheckpoint,
  findLowest,
  NOTHING,
} from './checkpoint.js';
export { FencedCheckpoint } from './fenced-checkpoint.js';
export { type LedgerIdentity, nameReadModel, partitionTag } from './keys.js';
export { LeaseKeeper, type PartitionWorker } from './leases/lease-keeper.js';
export {
  type Fence,
  Fenced,
  type Lease,
  type LeaseKeys,
  Leases,
  runFenced,
} from './leases/leases.js';
export { LEASE_LOOK_MS, LEASE_MS } from './limits.js';
export { runProjector } from './projector-run.js';
export { createReadModels, type ReadModels } from './read-models.js';
export { connectForReading } from './redis.js';
export type { WaitOptions } from './watermark.js';
