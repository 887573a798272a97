export { openHeld } from './against.js';
export { exportSeals, type ExportedSeals } from './export/export.js';
export { type SealFinding, type SealFindingKind } from './seal-findings.js';
export { KnownKeys } from './known-keys.js';
export { proveEvents, type ProvedEvent } from './prove.js';
export { readCosignedNote } from './stored-note.js';
export { type SealVerification, verifySeals } from './verify.js';
