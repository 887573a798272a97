import { ApiProperty } from '@nestjs/swagger';
import { DECLINE_CLASSES, LINE_KINDS } from '#domain/payment';
import { MinorUnits, OneOf, Timestamp } from '#openapi';
import { PAYMENT_CONTEXTS, REFUND_REASONS, REFUND_STATUSES } from '#representations';
import { IsPositiveAmountCents, Omittable } from '#nest/dto';

/** rules/payments 6; UNSPECIFIED is the zero value and is never sent. */
const STATUSES = [
  'UNSPECIFIED',
  'PENDING',
  'SUCCEEDED',
  'FAILED',
  'PARTIALLY_REFUNDED',
  'REFUNDED',
  'DISPUTED',
].map((status) => `SUBSCRIPTION_PAYMENT_STATUS_${status}`);

const CONTEXTS = PAYMENT_CONTEXTS.map((context) => `PAYMENT_CONTEXT_${context}`);

/** The gateway's details of a payment beside its outcome (rules/payments 7); unset strings are empty. */
export class EnrichmentFieldsDto {
  subscriptionId!: string;
  externalAccountId!: string;
  /** Empty when it succeeded. */
  @OneOf(['', ...DECLINE_CLASSES])
  normalizedDeclineClass!: string;
  rawDeclineCode!: string;
  paymentMethodSubType!: string;
  issuerBank!: string;
}

/** A payment of a subscription (rules/payments 7). */
export class PaymentDto {
  paymentId!: string;
  /** The whole amount charged. */
  @MinorUnits()
  amountCents!: string;
  /** @example "USD" */
  currency!: string;
  @MinorUnits()
  totalTaxAmountCents!: string;
  /** Whether the tax was in the price, or was added to it. */
  taxInclusive!: boolean;
  /** Stays true once captured, also after a refund. */
  succeeded!: boolean;
  @Timestamp()
  createdAt!: string;
  @Timestamp()
  updatedAt!: string;
  @OneOf(STATUSES)
  status!: string;
  @OneOf(CONTEXTS)
  paymentContext!: string;
  checkoutLinkId!: string;
  /** The studio's own reference, of the subscription's checkout link; empty where there is none. */
  referenceId!: string;
  enrichmentFields!: EnrichmentFieldsDto;
}

/** The time that a line is for: from its start on, up to its end and without it. */
export class LineIntervalDto {
  @Timestamp()
  start!: string;
  @Timestamp()
  end!: string;
}

/** Which price of which plan a line was made from. */
export class LinePriceDto {
  planId!: string;
  /** Of a whole billing period. */
  @MinorUnits()
  amountCents!: string;
  /** Since when the subscription has this price. */
  @Timestamp()
  lockedAt!: string;
}

/** Which item of an order a line was made from. */
export class LineItemDto {
  id!: string;
  quantity!: number;
  /** Of one piece, as the player was shown it. */
  @MinorUnits()
  amountCents!: string;
}

/** How a line's tax was computed. */
export class LineTaxDto {
  /**
   * A decimal fraction.
   * @example "0.19"
   */
  rate!: string;
  /** The version of the app's tax rates. */
  @ApiProperty({ example: 3 })
  ratesVersion!: number;
  /** Whether the price contained the tax, or it was added. */
  inclusive!: boolean;
}

/** The purpose and source of a part of a payment's amount (rules/payments 8). */
export class PaymentLineDto {
  @OneOf(LINE_KINDS)
  kind!: string;
  /** Without tax, which is a line of its own; below zero for a credit. */
  @ApiProperty({ format: 'int64', pattern: '^-?\\d+$', example: '999' })
  amountCents!: string;
  /** Null for the items of an order. */
  @ApiProperty({ type: LineIntervalDto, nullable: true })
  covers!: LineIntervalDto | null;
  /** Of a line that is an item of an order. */
  item?: LineItemDto;
  /** Null for the items of an order. */
  @ApiProperty({ type: LinePriceDto, nullable: true })
  price!: LinePriceDto | null;
  /** Null for a line that is no tax. */
  @ApiProperty({ type: LineTaxDto, nullable: true })
  tax!: LineTaxDto | null;
}

/** A refund of a payment, made or requested (rules/payments 13). */
export class PaymentRefundDto {
  refundId!: string;
  @OneOf(REFUND_STATUSES)
  status!: string;
  /** Empty where it has failed. */
  @ApiProperty({ pattern: '^\\d*$', example: '400' })
  amountCents!: string;
  /** The tax in it; empty where it has failed. */
  @ApiProperty({ pattern: '^\\d*$', example: '64' })
  totalTaxAmountCents!: string;
  /** `unused_credit` for a refund by a change of the plan; empty for every other one. */
  @OneOf(REFUND_REASONS)
  reason!: string;
}

/** A payment with its lines and refunds. */
export class ExplainedPaymentDto extends PaymentDto {
  /** They add up to the amount. */
  lines!: PaymentLineDto[];
  /** Those that have ended, in their order, then those on their way. */
  refunds!: PaymentRefundDto[];
}

/** rules/payments 13 */
export class RefundPaymentBody {
  /** How much to give back; all that is left where it is omitted. */
  @Omittable()
  @MinorUnits()
  @IsPositiveAmountCents()
  amountCents?: string;
}

export class PaymentListDto {
  payments!: PaymentDto[];
  /** Empty on the last page. */
  nextPageToken!: string;
}
