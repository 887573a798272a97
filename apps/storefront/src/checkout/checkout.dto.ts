import { OmitType } from '@nestjs/swagger';
import { IsBoolean, IsIn } from 'class-validator';
import { ORDER_STATUSES, type OrderStatus } from '#domain/order';
import { SUBSCRIPTION_STATUSES } from '#domain/subscription';
import { IsAmountCents, IsLine, IsTimestamp, Omittable } from '#nest/dto';
import { OneOf } from '#openapi';

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

  /** The amount due that the page showed, in minor units: never is more charged (rules/payments 11). */
  @Omittable()
  @IsAmountCents()
  amountCents?: string;

  /** When the page of a change computed that: it holds for a quarter of an hour (rules/payments 18). */
  @Omittable()
  @IsTimestamp()
  quotedAt?: string;
}

/** The form of the page. */
export class PaymentFormBody extends OmitType(CompleteCheckoutBody, ['emailMarketingOptIn']) {
  /** The value of a ticked box; one that is not ticked sends nothing. */
  @Omittable()
  @IsIn(['true'], { message: 'must be true, or be left out' })
  emailMarketingOptIn?: string;

  /** Another one in every page: a form that is sent twice is one attempt (rules/payments 3). */
  @IsLine(1, 64)
  attemptKey!: string;
}

/** The form that leads to the gateway's own page. */
export class CardFormBody extends OmitType(PaymentFormBody, ['paymentMethod']) {}

/** Of a subscription, or of an order where the link is one's. */
const COMPLETED_STATUSES = [...SUBSCRIPTION_STATUSES, ...ORDER_STATUSES] as const;
const PENDING_STATUSES = ['pending', 'challenge'] as const;

/** The purchase of the link: a subscription or an order. */
export class CompletedCheckoutDto {
  /** Of a subscription's link. */
  subscriptionId?: string;

  /** In its place, where the link is an order's. */
  orderId?: string;

  /** Of the subscription, or of the order. */
  @OneOf(COMPLETED_STATUSES)
  status!: (typeof COMPLETED_STATUSES)[number];
}

/** An order that its player has ended. */
export class CanceledOrderDto {
  orderId!: string;
  @OneOf(ORDER_STATUSES)
  status!: OrderStatus;
}

/** A payment without an outcome so far. */
export class PendingCheckoutDto {
  /** `pending`: the gateway has not answered yet. `challenge`: the player is to confirm at the bank. */
  @OneOf(PENDING_STATUSES)
  status!: (typeof PENDING_STATUSES)[number];

  /** The page where the player confirms the payment; there with `challenge`. */
  challengeUrl?: string;
}
