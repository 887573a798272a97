import type { Instant } from '#domain/event';

/** The time as a port: decisions are given it, and tests choose it. */
export interface Clock {
  /** The present instant, UTC with milliseconds. */
  now(): Instant;
}

/** The machine's clock. */
export const wallClock: Clock = { now: () => new Date().toISOString() };
