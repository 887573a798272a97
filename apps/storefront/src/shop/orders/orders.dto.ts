import { ApiProperty } from '@nestjs/swagger';
import { ORDER_STATUSES, type OrderStatus } from '#domain/order';
import { OneOf, Timestamp } from '#openapi';

/** An order that was made, and is to be paid. */
export class MadeOrderDto {
  orderId!: string;
  /** The page where it is paid: `complete` below that address pays without the page. */
  url!: string;
}

/** An item of an order. */
export class ShopOrderItemDto {
  id!: string;
  name!: string;
  @ApiProperty({ type: 'integer' })
  quantity!: number;
  /**
   * Of one piece, in major units.
   * @example "4.99"
   */
  price!: string;
}

/** An order as its player sees it. */
export class ShopOrderDto {
  orderId!: string;
  @Timestamp()
  createdAt!: string;
  items!: ShopOrderItemDto[];
  /**
   * With the tax, in major units.
   * @example "9.98"
   */
  total!: string;
  /** @example "USD" */
  currency!: string;
  @OneOf(ORDER_STATUSES)
  status!: OrderStatus;
}

/** The player's orders, the newest first, the latest hundred (rules/webshop 9). */
export class ShopOrderListDto {
  orders!: ShopOrderDto[];
}
