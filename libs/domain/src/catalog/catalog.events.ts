import type { FieldViolation } from '../decider/index.js';
import type { DomainEvent } from '../event/index.js';

/** Why a player was shown no catalog (rules/catalog 5). A stored reason may be a newer release's. */
export const CATALOG_FAILURE_REASONS = [
  /** The app's catalog was never set. */
  'not_configured',
  /** The id of the player cannot stand in an address. */
  'unusable_player_id',
  /** As many calls of the app as there may be are under way, and wait. */
  'too_many_calls',
  /** The calls before failed, so that for a moment none is made. */
  'circuit_open',
  'timeout',
  'refused',
  'reset',
  'unreachable',
  'tls',
  'dns',
  'forbidden_address',
  'proxy',
  'invalid_answer',
  'other',
  /** The answer has another status than 200. */
  'status',
  'too_large',
  'not_json',
  /** It is JSON and no catalog. */
  'invalid_catalog',
] as const;
export type CatalogFailureReason = (typeof CATALOG_FAILURE_REASONS)[number];

/**
 * A call of an app's catalog failed, and a player was shown the reference. Of the player it has the pseudonym, in its
 * metadata; of the answer, its error alone.
 */
export type CatalogCallFailed = DomainEvent<
  'catalog.call_failed.v1',
  {
    readonly reference: string;
    readonly reason: CatalogFailureReason;
    /** As it was asked for. */
    readonly language: string;
    /** `field` is a JSON path into the answer. */
    readonly violations: readonly FieldViolation[];
    /** How many there were, with those that are not listed. */
    readonly violationCount: number;
  }
>;
export type CatalogEvent = CatalogCallFailed;

/** The category of the streams of failures, one for each app: they are kept for days only. */
export const CATALOG_FAILURES_CATEGORY = 'catalog_failures';
