import { OmitType } from '@nestjs/swagger';
import { IsBoolean, IsIn } from 'class-validator';
import { IsAmountCents, IsLine, IsTimestamp, Omittable } from '#nest/dto';

export class CompleteCheckoutBody {
  /**
   * A payment method token of the gateway.
   * @example "pm_ok"
   */
  @Omittable()
  @IsLine(1, 128)
  paymentMethod?: string;

  /** Whether the player wants news by e-mail: of an order alone (rules/orders 2). */
  @Omittable()
  @IsBoolean({ message: 'must be true or false' })
  emailMarketingOptIn?: boolean;

  /** What the page of a change showed, in minor units: never is more charged (rules/payments 18). */
  @Omittable()
  @IsAmountCents()
  amountCents?: string;

  /** When the page computed that: it holds for a quarter of an hour (rules/payments 18). */
  @Omittable()
  @IsTimestamp()
  quotedAt?: string;
}

/** What the form of the page sends. */
export class PaymentFormBody extends OmitType(CompleteCheckoutBody, ['emailMarketingOptIn']) {
  /** What a box that is ticked sends; one that is not sends nothing. */
  @Omittable()
  @IsIn(['true'], { message: 'must be true, or be left out' })
  emailMarketingOptIn?: string;

  /** Another one in every page: a form that is sent twice is one attempt (rules/payments 3). */
  @IsLine(1, 64)
  attemptKey!: string;
}

/** What the form sends that leads to the gateway's own page. */
export class CardFormBody extends OmitType(PaymentFormBody, ['paymentMethod']) {}

/** What the page's own call is answered with. */
export interface CompletedCheckout {
  /** Absent while the gateway has not answered yet. */
  readonly subscriptionId?: string;
  /** In its place, where the link is an order's. */
  readonly orderId?: string;
  /** The subscription's status, `pending`, or `challenge`. */
  readonly status: string;
  /** Where the player confirms the payment; there with `challenge`. */
  readonly challengeUrl?: string;
}
