import type { DomainEvent, Instant } from '../event/index.js';

/** The generation of a read model that an act is about. */
export interface OfGeneration {
  /** The read model: name, version and fingerprint of a projection, such as `subscriptions.14.3f09ab`. */
  readonly readModel: string;
  /** Counts the generations of a read model, from 1. */
  readonly generation: number;
}

/** An act with its reason. */
export interface Reasoned extends OfGeneration {
  readonly reason: string;
}

export type RebuildRequested = DomainEvent<
  'projection.rebuild_requested.v1',
  Reasoned & {
    /** The generation waits behind the gate for a swap that an operator asks for. */
    readonly hold: boolean;
    /** The most events that are applied in a second, over all partitions; null for no bound. */
    readonly maxPerSecond: number | null;
    /** Nothing of this read model answers yet: another version of the projection does. */
    readonly isFirst: boolean;
  }
>;
/** The gate found nothing against a swap. */
export type GenerationVerified = DomainEvent<
  'projection.verified.v1',
  OfGeneration & { readonly checked: number }
>;
/** The gate keeps a generation from answering. */
export type GenerationHeld = DomainEvent<
  'projection.held.v1',
  OfGeneration & { readonly findings: readonly string[] }
>;
export type GenerationSwapped = DomainEvent<
  'projection.swapped.v1',
  Reasoned & {
    /** An operator let it answer although the gate had not verified it. */
    readonly anyway: boolean;
    /** Until then the generation that answered before is kept and fed; null where there was none. */
    readonly formerUntil: Instant | null;
  }
>;
/** `generation` answers again. */
export type GenerationRolledBack = DomainEvent<
  'projection.rolled_back.v1',
  Reasoned & { readonly formerUntil: Instant }
>;
export type GenerationDropped = DomainEvent<'projection.dropped.v1', Reasoned>;
export type RebuildPaused = DomainEvent<'projection.paused.v1', Reasoned>;
export type RebuildResumed = DomainEvent<'projection.resumed.v1', Reasoned>;

/** Acts on the read models of one projection, in the order in which they hold. */
export type ProjectionEvent =
  | RebuildRequested
  | GenerationVerified
  | GenerationHeld
  | GenerationSwapped
  | GenerationRolledBack
  | GenerationDropped
  | RebuildPaused
  | RebuildResumed;
