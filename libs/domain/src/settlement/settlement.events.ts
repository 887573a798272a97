import type { DomainEvent, Instant } from '../event/index.js';
import type { Money } from '../money/index.js';
import type { SettlementCategory } from './categories.js';

/**
 * A row of a gateway's account, in minor units of ISO 4217 and signed as the balance there moves (rules/finance 32).
 * Texts for people and the customer's name are not kept.
 */
export interface SettlementRow {
  /** The gateway's own id of the row. */
  readonly transactionId: string;
  readonly category: SettlementCategory;
  /** The gateway's id of the charge, refund, dispute or payout; empty where the row is of none. */
  readonly sourceId: string;
  readonly createdAt: Instant;
  /** A day, `2026-02-03`; null where the report does not say it. */
  readonly availableOn: string | null;
  /** Of the account at the gateway. */
  readonly currency: string;
  readonly grossMinor: string;
  /** Above zero where the gateway keeps it. */
  readonly feeMinor: string;
  /** Gross less fee. */
  readonly netMinor: string;
  /** The player's amount where it was changed into the account's currency; null where it was not. */
  readonly charged: Money | null;
  readonly chargeId: string;
  readonly paymentIntentId: string;
  /** Our payment and our refund; empty where the row names none. */
  readonly paymentId: string;
  readonly refundId: string;
}

/** The payout that a row is paid in. */
export interface Payout {
  readonly payoutId: string;
  /** The day on which it reaches the bank; null where the report does not say it. */
  readonly effectiveOn: string | null;
}

export type RowImported = DomainEvent<'settlement.row_imported.v1', SettlementRow>;
/** Some kinds of reports alone tell the payout of a row. */
export type PayoutNoted = DomainEvent<'settlement.payout_noted.v1', Payout>;

export type SettlementEvent = RowImported | PayoutNoted;
