export {
  formatCheckpoint,
  openCheckpoint,
  parseCheckpoint,
  type SealCheckpoint,
} from './checkpoints.js';
export { CompactRange } from './compact-range.js';
export { HASH_BYTES, hashLeaf, hashNode } from './hash.js';
export { InvalidSeal } from './invalid.js';
export {
  formatVerifierKey,
  parseVerifierKey,
  readSigningKey,
  SIGNATURE_TYPES,
  type SigningKey,
  type VerifierKey,
} from './keys.js';
export {
  formatEntries,
  type LeafLine,
  leafLine,
  leafText,
  parseEntries,
  parseLeafLine,
} from './leaf.js';
export { cosignNote, parseNote, signNote, type VerifiedSignature, verifyNote } from './notes.js';
export {
  proveConsistency,
  proveInclusion,
  type ReadHash,
  verifyConsistency,
  verifyInclusion,
} from './proofs.js';
export { checkProof, formatProof, parseProof, type SealProof } from './seal-proof.js';
export {
  entriesPath,
  listNewTiles,
  parseTilePath,
  readHashesFrom,
  rootOfTile,
  splitHashes,
  type Tile,
  TILE_WIDTH,
  TileAssembler,
  tilePath,
} from './tiles.js';
