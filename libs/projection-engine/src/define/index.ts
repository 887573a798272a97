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
export { eventTypesIn, foldedBy } from './folded-by.js';
export { ANY, byCreation, type IndexEntry, type IndexName } from './index-entry.js';
export type { Documents, Projection } from './projection.js';
