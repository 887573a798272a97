import { IsBoolean, IsIn } from 'class-validator';
import { UNUSED_CREDIT_POLICIES, type UnusedCreditPolicy } from '#domain/subscription';
import { IsAmountCents, IsLanguageTag, IsLine, NestedObject, Omittable } from '#nest/dto';
import { MinorUnits, Timestamp } from '#openapi';
import { PlanReferenceDto } from '../checkout-links/checkout-link.dto.js';
import { PaymentLineDto } from '../payments/payment.dto.js';

/** rules/payments 18 */
export class CreateChangeLinkBody {
  /** The plan to change to; where it is omitted, the player chooses another payment method. */
  @Omittable()
  @NestedObject(() => PlanReferenceDto)
  plan?: PlanReferenceDto;

  /** The price of the change, as a plan's price is meant, in the place of the computed difference. */
  @Omittable()
  @MinorUnits()
  @IsAmountCents()
  amountCents?: string;

  /** Whether the period begins anew with the change. */
  @Omittable()
  @IsBoolean({ message: 'must be true or false' })
  restartPeriod?: boolean;

  /**
   * The fate of paid time that the change does not use up: it is lost, it is given back to the card that paid for it,
   * or the change is refused. `forfeit` where it is omitted; page, preview and lines show the amount that is lost or
   * goes back.
   */
  @Omittable()
  @IsIn(UNUSED_CREDIT_POLICIES, { message: `must be one of ${UNUSED_CREDIT_POLICIES.join(', ')}` })
  unusedCredit?: UnusedCreditPolicy;

  /** Where the page leads back to the game, as for a checkout link. */
  @Omittable()
  @IsLine(1, 2048)
  returnUrl?: string;

  /**
   * The language of the hosted page, as a tag of BCP 47; without it, the browser's.
   * @example "de-AT"
   */
  @Omittable()
  @IsLanguageTag()
  language?: string;

  /** Only computes the amounts of the change: nothing is made. */
  @Omittable()
  @IsBoolean({ message: 'must be true or false' })
  preview?: boolean;
}

/** A link to a page, the date of a change that waits, or a preview of either. */
export class ChangeLinkDto {
  /** Of the link. */
  id?: string;
  /** The hosted page, absolute. */
  url?: string;
  /** Of a preview, and of a change that waits for the end of the period. */
  @Timestamp()
  effectiveAt?: string;
  /** Of a preview: the amount to be paid at once. */
  @MinorUnits()
  amountCents?: string;
  /** Of a preview: the amount given back of an earlier payment, tax included; absent where nothing is. */
  @MinorUnits()
  refundAmountCents?: string;
  /** Of a preview: the lines of the amount. */
  lines?: PaymentLineDto[];
}
