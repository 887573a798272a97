import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';
import { CART_PROBLEMS, type CartProblem, MAX_QUANTITY } from '#domain/cart';
import { IsLine } from '#nest/dto';
import { ShopFormBody } from '../session/session.dto.js';

/** A form has texts alone. */
function IsQuantity(min: number): PropertyDecorator {
  const message = `must be a whole number from ${min} to ${MAX_QUANTITY}`;
  const rules = [
    ApiProperty({ type: 'integer', minimum: min, maximum: MAX_QUANTITY }),
    Transform(({ value }: { value: unknown }) => toWholeNumber(value)),
    IsInt({ message }),
    Min(min, { message }),
    Max(MAX_QUANTITY, { message }),
  ];
  return (target, name) => {
    for (const rule of rules) rule(target, name);
  };
}

function toWholeNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value;
}

/** An item of the catalog and how many of it. */
export class AddToCartBody extends ShopFormBody {
  @IsLine(1, 255)
  itemId!: string;

  @IsQuantity(1)
  quantity!: number;
}

/** How many of an item are to be in the cart; 0 for none. */
export class SetQuantityBody extends ShopFormBody {
  @IsQuantity(0)
  quantity!: number;
}

/** A cart is bought. */
export class CheckOutBody extends ShopFormBody {}

/** How many of an item are bought at once. */
export class BuyNowBody extends ShopFormBody {
  @IsQuantity(1)
  quantity!: number;
}

/** The items in the cart, beside the catalog of now. */
export class CartItemDto {
  id!: string;
  name!: string;
  @ApiProperty({ type: 'integer' })
  quantity!: number;
  /**
   * Of one piece, in major units.
   * @example "4.99"
   */
  price!: string;
  /** @example "9.98" */
  total!: string;
  /** The change in the catalog since it was put there; null for none. */
  @ApiProperty({ enum: CART_PROBLEMS, nullable: true })
  problem!: CartProblem | null;
}

/** A cart; amounts are decimal strings in major units (rules/webshop 4). */
export class CartDto {
  /** That of the session: each change sends it along. */
  csrf!: string;
  /** Empty where there is no cart yet. */
  cartId!: string;
  items!: CartItemDto[];
  /** Empty for an empty cart. */
  currency!: string;
  /** @example "9.98" */
  subtotal!: string;
  /** @example "0.00" */
  tax!: string;
  /** Without items that are gone. */
  total!: string;
}
