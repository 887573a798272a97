import type { Period } from '#domain/calendar';
import type { Instant } from '#domain/event';

export interface CheckoutOptions {
  readonly player?: string;
  readonly paymentMethod?: string;
  readonly trial?: Period;
  readonly period?: Period;
  /** The time on the app's clock; the ids of an attempt follow from it. */
  readonly now?: Instant;
}

export interface AttemptOptions extends CheckoutOptions {
  /** The time on the wall clock: a link's pauses and bounds keep to it. */
  readonly wallNow?: Instant;
}

export interface WorldOptions {
  readonly appendOnly?: boolean;
  readonly partitions?: number;
  /** A cluster's; a Redis of its own unless given. */
  readonly redisUrl?: string;
}
