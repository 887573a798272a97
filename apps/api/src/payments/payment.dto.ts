import { DECLINE_CLASSES } from '#domain/payment';
import { PAYMENT_CONTEXTS } from '#representations';
import { IsPositiveAmountCents, Omittable } from '#nest/dto';
import { MinorUnits, OneOf, Timestamp } from '../openapi/fields.js';

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

const CONTEXTS = ['UNSPECIFIED', ...PAYMENT_CONTEXTS].map(
  (context) => `PAYMENT_CONTEXT_${context}`,
);

/** What the gateway reports of a payment beside its outcome (rules/payments 7); unset strings are empty. */
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
  enrichmentFields!: EnrichmentFieldsDto;
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
