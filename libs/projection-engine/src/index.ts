export type { Document } from './document.js';
export type { DocumentPage, DocumentPageOptions } from './document-page.js';
export type { DueSubscription } from './due.js';
export { createReadModels, type ReadModels } from './read-models.js';
export { type Checkpoint, decodeCheckpoint, NOTHING } from './checkpoint.js';
export { FencedCheckpoint } from './fenced-checkpoint.js';
export { parkedAt, type ParkedStream, ParkedStreams, RebuildStopped } from './parked-streams.js';
export { runProjector } from './projector-run.js';
