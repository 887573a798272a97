import { Transform } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';
import { MAX_QUANTITY } from '#domain/cart';
import { IsLine } from '#nest/dto';
import { ShopFormBody } from '../session/session.dto.js';

/** A form has texts alone. */
function IsQuantity(min: number): PropertyDecorator {
  const message = `must be a whole number from ${min} to ${MAX_QUANTITY}`;
  const rules = [
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

/** A cart as programs get it; amounts are decimal strings (rules/webshop 4). */
export interface CartModel {
  readonly csrf: string;
  /** Empty where there is no cart yet. */
  readonly cartId: string;
  readonly items: readonly {
    readonly id: string;
    readonly name: string;
    readonly quantity: number;
    readonly price: string;
    readonly total: string;
    readonly problem: 'PRICE_CHANGED' | 'GONE' | 'EXPIRED' | 'QUANTITY' | null;
  }[];
  /** Empty for an empty cart. */
  readonly currency: string;
  readonly subtotal: string;
  readonly tax: string;
  readonly total: string;
}
