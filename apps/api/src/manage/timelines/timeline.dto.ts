import { Timestamp, TimestampOrEmpty } from '#openapi';
import { ExplainedPaymentDto } from '../../payments/payment.dto.js';
import { SubscriptionDto } from '../../subscriptions/subscription.dto.js';

/** One event in plain words (rules/operators 12). */
export class TimelineEntryDto {
  /** Its place in the stream, from 0. */
  revision!: number;
  @Timestamp()
  at!: string;
  /**
   * The author: `app`, `player`, an operator, `cli` or a process of ours.
   * @example "app"
   */
  by!: string;
  /** @example "payment.captured.v1" */
  type!: string;
  /** @example "captured" */
  what!: string;
}

/** A step that comes by itself. */
export class NextStepDto {
  /** Empty where nothing does. */
  @TimestampOrEmpty()
  at!: string;
  /** @example "the next period is charged: 9.99 USD" */
  why!: string;
}

/** A subscription, its history, and its next step. */
export class SubscriptionTimelineDto {
  subscription!: SubscriptionDto;
  /** The player's pseudonym in the ledger (rules/storage 6). */
  player!: string;
  next!: NextStepDto;
  /** The oldest first. */
  events!: TimelineEntryDto[];
}

/** A payment with its lines and its history. */
export class PaymentTimelineDto {
  payment!: ExplainedPaymentDto;
  /** The player's pseudonym in the ledger (rules/storage 6). */
  player!: string;
  /** The oldest first. */
  events!: TimelineEntryDto[];
}
