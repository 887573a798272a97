/**
 * The catalog callback: a player's items for sale, asked of the studio's own backend (rules/catalog).
 *
 * Pages ask a `CatalogClient`: `fetch({appId, playerId, language})` gives a frozen `Catalog`, or a failure whose
 * `reference` the player is shown; `catalogUnavailable(reference)` of `#nest` is the same as a refusal. Checkouts and
 * claims ask with `fresh: true`. A `CatalogCaller` makes one call, as operators do to see the answer.
 */
export type { Catalog, CatalogFailureReason, CatalogItem, CatalogRow } from '#domain/catalog';
export type { CatalogAnswer } from './call-catalog.js';
export { CatalogBreakers } from './catalog-breakers.js';
export {
  type AskedCatalog,
  CatalogCaller,
  type DescribedCall,
  targetRules,
} from './catalog-caller.js';
export {
  CatalogClient,
  type CatalogFailure,
  type CatalogResult,
  type WantedCatalogOf,
} from './catalog-client.js';
export { CatalogFailures, type FailurePage, type RecordedFailure } from './catalog-failures.js';
