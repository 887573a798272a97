export type { CommitOutcome } from './stored/apply-batch.js';
export { Ages } from './stored/ages.js';
export {
  type Checkpoint,
  decodeCheckpoint,
  encodeCheckpoint,
  findLowest,
  NOTHING,
} from './stored/checkpoint.js';
export { FencedCheckpoint } from './stored/fenced-checkpoint.js';
export {
  findReadModel,
  type GenerationKeys,
  type LedgerIdentity,
  nameReadModel,
  openReadModel,
  type PartitionKeys,
  partitionTag,
  type GenerationPlace,
  PLACES,
  type ReadModel,
  readModelPattern,
} from './stored/keys.js';
export { LeaseKeeper, type PartitionWorker } from './leases/lease-keeper.js';
export {
  type Fence,
  Fenced,
  type Lease,
  type LeaseKeys,
  Leases,
  runFenced,
} from './leases/leases.js';
export { LEASE_MS, TICK_MS as LEASE_POLL_MS, UNAPPLIED_LIMIT_MS } from './limits.js';
export type { CheckedStreams } from './run/gate-findings.js';
export type { Obstacle } from './stored/obstacles.js';
export {
  findOtherVersion,
  listReadModels,
  nameProjection,
  readGenerations,
  type StoredGenerations,
} from './stored/generations.js';
export { placedIn, type PlacedInPartition } from './stored/placed-in-partition.js';
export { runProjector } from './run/projector-run.js';
export { createReadModels, type ReadModels } from './read/read-models.js';
export { connectForReading } from './stored/connections.js';
export type { WaitOptions } from './read/watermark.js';
