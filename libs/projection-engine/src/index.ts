export type { Document } from './document.js';
export type { Page, PageOptions } from './page.js';
export type { DueSubscription } from './due.js';
export { createReadModels, type ReadModels } from './read-models.js';
export { type ParkedStream, RebuildStopped } from './parked.js';
export { runProjector } from './run-projector.js';
