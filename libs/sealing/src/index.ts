export { EventPlaces, REORDERED_TILES } from './event-places.js';
export { hasLeaf, LEAF_TABLE, ledgerPattern } from './leaf-table.js';
export { type LogLeaf, readLogLeaves, toLogLeaf } from './log-leaves.js';
export { chooseOrigin } from './origin.js';
export { type FoundCheckpoint, SealReader } from './seal-reader.js';
export { SealNotices } from './notices/seal-notices.js';
export { runSealer, sealNow, type SealingFigures } from './sealer.js';
export { readSealingKeys } from './key-files.js';
export { SealingKeys } from './sealing-keys.js';
export {
  CHECKPOINTS_STREAM,
  type StoredCheckpoint,
  type StoredSeal,
  type StoredTile,
  tileStream,
  toCosignatureEvent,
} from './stored-seals.js';
export { countUnsealed, findUnsealed } from './unsealed.js';
