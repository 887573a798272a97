import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { MAX_ORDER_ITEMS, ORDER_SOURCES, ORDER_STATUSES } from '#domain/order';
import {
  IsCurrencyCode,
  IsEmail,
  IsLanguageTag,
  IsLine,
  IsPlainText,
  IsRegionCode,
  NestedList,
  NestedObject,
  Omittable,
  StringsByName,
} from '#nest/dto';
import { OneOf, Timestamp } from '#openapi';

/** The most pieces of one item. */
const MAX_QUANTITY = 9_999;
const WHOLE_NUMBER = `must be a whole number from 1 to ${MAX_QUANTITY}`;

/** So many pieces of something that the studio sells. */
export class OrderItemBody {
  /** The studio's own id of it. */
  @IsLine(1, 255)
  id!: string;

  /** The text that the player sees. */
  @IsLine(1, 200)
  name!: string;

  @Omittable()
  @IsPlainText(2000)
  description?: string;

  /**
   * The address of a picture, https.
   * @example "https://cdn.example/gems.png"
   */
  @Omittable()
  @IsLine(1, 2048)
  image?: string;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_QUANTITY })
  @IsInt({ message: WHOLE_NUMBER })
  @Min(1, { message: WHOLE_NUMBER })
  @Max(MAX_QUANTITY, { message: WHOLE_NUMBER })
  quantity!: number;

  /**
   * For one piece, in major units, with no more decimals than the currency has.
   * @example "4.99"
   */
  @IsLine(1, 20)
  price!: string;

  /** Strings by name, sent with the webhooks about it. */
  @Omittable()
  @StringsByName()
  metadata?: Record<string, string>;
}

export class BuyerDto {
  /** The studio's own id of the player. */
  @IsLine(1, 255)
  id!: string;

  /** Where the player can be written to: it stands in the order. */
  @Omittable()
  @IsEmail()
  email?: string;
}

/** rules/orders 1 */
export class CreatePaymentLinkBody {
  /** The studio's own id of the purchase: the same one makes one order. */
  @Omittable()
  @IsLine(1, 255)
  transactionId?: string;

  @NestedList(() => OrderItemBody, { min: 1, max: MAX_ORDER_ITEMS })
  items!: OrderItemBody[];

  /** @example "USD" */
  @IsCurrencyCode()
  currency!: string;

  @NestedObject(() => BuyerDto)
  user!: BuyerDto;

  /** A CLDR region: a country, or a country and its part. */
  @Omittable()
  @IsRegionCode()
  regionCode?: string;

  /** Where the page leads back to the game, as for the link of a subscription. */
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

  /** Strings by name, attached to the payment and sent with its webhooks. */
  @Omittable()
  @StringsByName()
  metadata?: Record<string, string>;
}

/** An item of an order. */
export class OrderItemDto {
  id!: string;
  name!: string;
  @ApiProperty({ type: 'integer' })
  quantity!: number;
  /**
   * For one piece, in major units.
   * @example "4.99"
   */
  price!: string;
  metadata!: Record<string, string>;
}

/** An order as the studio's backend sees it (rules/orders 3). */
export class OrderDto {
  orderId!: string;
  /** The backend's own id of it, or else the order's; empty for an order of the webshop. */
  transactionId!: string;
  @OneOf(ORDER_SOURCES)
  source!: string;
  @OneOf(ORDER_STATUSES)
  status!: string;
  /** Of the payment that it keeps, or of the last attempt; empty before the first one. */
  paymentId!: string;
  checkoutLinkId!: string;
  /** The studio's own id of the player. */
  userId!: string;
  /** Where the player can be written to, as the link said it; empty where it did not. */
  userEmail!: string;
  items!: OrderItemDto[];
  /** @example "USD" */
  currency!: string;
  /** The tax in the total, in major units. */
  tax!: string;
  /** The whole amount, in major units. */
  total!: string;
  @Timestamp()
  createdAt!: string;
}
