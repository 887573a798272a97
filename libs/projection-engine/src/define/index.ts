export { checkProjections } from './check-projections.js';
export type {
  Document,
  DocumentKey,
  DocumentPage,
  DocumentPageOptions,
  DocumentReads,
  ScoredMember,
  TimeRange,
  Whereabouts,
} from './document-reads.js';
export { codecByFields, ID, INSTANT, type StateCodec } from './field-codec.js';
export { eventTypesIn, foldedBy } from './folded-by.js';
export {
  byCreation,
  type IndexEntry,
  type IndexName,
  oldestFirst,
  readMemberId,
} from './index-entry.js';
export type { Documents, Projection } from './projection.js';
export {
  foldNext,
  type ManyStreamsRecipe,
  type Recipe,
  type Rendered,
  renderStream,
  type StreamRecipe,
} from './recipe.js';
