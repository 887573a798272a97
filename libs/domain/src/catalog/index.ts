export type { Catalog, CatalogItem, CatalogRow } from './catalog.js';
export {
  CATALOG_FAILURE_REASONS,
  CATALOG_FAILURES_CATEGORY,
  type CatalogCallFailed,
  type CatalogEvent,
  type CatalogFailureReason,
} from './catalog.events.js';
