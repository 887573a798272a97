import type { GatewayKind } from '#domain/app';
import type { Instant, Position } from '#domain/event';
import type { Money } from '#domain/money';
import type { BucketRange } from '#event-store';
import type { ChargeQuery } from './gateway.js';

/** A charge as the gateway's own books have it, with all that has become of it. */
export interface BookedCharge extends ChargeQuery {
  readonly amount: Money;
  readonly status: 'captured' | 'declined' | 'pending';
  /** When the gateway last did something with it, by its own clock. */
  readonly changedAt: Instant;
  readonly refunds: readonly { readonly key: string; readonly amount: Money }[];
  readonly disputes: readonly BookedDispute[];
}

export interface BookedDispute {
  readonly disputeId: string;
  readonly amount: Money;
  /** By the merchant; null while it is open. */
  readonly won: boolean | null;
}

export interface BooksQuery {
  /** Charges that were made, or changed, from then on. */
  readonly since: Instant;
  /** Of payments in these buckets alone, where some are named. */
  readonly buckets?: readonly BucketRange[] | undefined;
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/** A gateway's books as the port shows them, for reconciliation (rules/payments 16). Reading moves no money. */
export interface GatewayBooks {
  /** Of which payments they are: those by its methods (decision 0027). */
  readonly kind: GatewayKind;
  /** Of which app's payments, where each app has an account of its own. */
  readonly appId?: string;
  /** In pages; a charge that changes meanwhile may come twice. @throws Fault `unavailable`. */
  list(query: BooksQuery): AsyncIterable<readonly BookedCharge[]>;
  /** One charge; undefined where the gateway never had it. @throws Fault `unavailable`. */
  find(query: ChargeQuery): Promise<BookedCharge | undefined>;
}

/** The books of all gateways, the sandbox's from a position of the store on. @throws Fault `unavailable` of the store. */
export type ListBooks = (range: {
  readonly after: Position;
  readonly signal: AbortSignal;
}) => Promise<readonly GatewayBooks[]>;
