import type { Period } from '../calendar/index.js';
import type { DomainEvent, Instant } from '../event/index.js';
import type { Money } from '../money/index.js';
import type { PlayerBounds } from '../player-plans/index.js';

/** The terms of a plan; the fields that a revision may change (rules/api 17). */
export interface PlanTerms extends PlayerBounds {
  readonly name: string;
  readonly description: string;
  readonly billingPeriod: Period;
  /** One price for each currency. */
  readonly prices: readonly Money[];
  readonly trial: Period | null;
  /** A JSON document as text; its structure is the studio's own. */
  readonly benefitsJson: string;
  readonly availableFrom: Instant | null;
  readonly availableUntil: Instant | null;
}

export type PlanCreated = DomainEvent<
  'plan.created.v1',
  PlanTerms & {
    readonly planId: string;
    readonly appId: string;
    readonly segmentId: string;
    readonly code: string;
    readonly createdAt: Instant;
  }
>;
export type PlanRevised = DomainEvent<
  'plan.revised.v1',
  Partial<PlanTerms> & { readonly revisedAt: Instant }
>;
export type PlanStatusChanged = DomainEvent<
  'plan.archived.v1' | 'plan.deprecated.v1' | 'plan.activated.v1',
  { readonly changedAt: Instant }
>;

/**
 * No plan and never one: its code was taken over from a creation that had not come to its end. Stands
 * alone in its stream, where it keeps that creation from ending after all.
 */
export type PlanAbandoned = DomainEvent<'plan.abandoned.v1', { readonly abandonedAt: Instant }>;

export type PlanEvent = PlanAbandoned | PlanCreated | PlanRevised | PlanStatusChanged;
