import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsString, MaxLength } from 'class-validator';
import { IsLine, Omittable } from '#nest/dto';
import { CampaignDto } from '../loyalty/loyalty.dto.js';
import { CsrfBody } from '../session/session.dto.js';

/** As many as a page shows at once, and more. */
const MAX_VIEWS = 100;

/** The items that a browser has shown (rules/webshop 7). */
export class ViewsBody extends CsrfBody {
  /** Of items that were really in sight. */
  @ApiProperty({ maxItems: MAX_VIEWS })
  @ArrayMaxSize(MAX_VIEWS, { message: `must have at most ${MAX_VIEWS} ids` })
  @IsString({ each: true, message: 'must be a list of ids' })
  @MaxLength(255, { each: true, message: 'must be a list of ids of at most 255 characters' })
  @IsArray({ message: 'must be a list of ids' })
  itemIds!: string[];

  /** Of the page's form: nothing goes by it. */
  @Omittable()
  @IsLine(1, 64)
  formId?: string;
}

/** A claim of a free item: the same id is the same claim. */
export class ClaimBody extends CsrfBody {
  /** Made up by the caller: the same one is the same claim. */
  @IsLine(1, 64)
  claimId!: string;

  /** Of the page's form: nothing goes by it. */
  @Omittable()
  @IsLine(1, 64)
  formId?: string;
}

/** The price of an item. */
export class ItemPriceDto {
  /** @example "USD" */
  currency!: string;

  /**
   * In major units; an item that costs nothing is claimed, and not bought.
   * @example "4.99"
   */
  amount!: string;
}

/** An item of the catalog, as it is offered to the player. */
export class ShopItemDto {
  id!: string;
  name!: string;
  description!: string;
  /** The address of a picture. */
  image!: string;
  price!: ItemPriceDto;

  /** How many the player may still have; null where the catalog names no number (rules/webshop 5). */
  @ApiProperty({ type: 'integer', nullable: true })
  maxPurchasable!: number | null;

  /** When it is no longer for sale; null where the catalog names no time. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  expiresAt!: string | null;

  /** Of a free item: whether it cannot be claimed any more. */
  claimed!: boolean;
}

/** A row of the shop, as the catalog has it. */
export class ShopRowDto {
  /** Null for a row without one. */
  @ApiProperty({ type: String, nullable: true })
  header!: string | null;
  items!: ShopItemDto[];
}

/** How full the cart is. */
export class CartCountDto {
  /** Of all pieces in it. */
  @ApiProperty({ type: 'integer' })
  quantity!: number;
}

/** The shop as a player sees it (rules/webshop 3). */
export class ShopDto {
  /** That of the session: each change sends it along. */
  csrf!: string;
  rows!: ShopRowDto[];
  cart!: CartCountDto;
  /** How far the player has come in each campaign. */
  loyalty!: CampaignDto[];
}

/** One item, in full. */
export class ShopItemPageDto {
  /** That of the session: each change sends it along. */
  csrf!: string;
  item!: ShopItemDto;
}

/** A claim that was made. */
export class ClaimedItemDto {
  claimId!: string;
  itemId!: string;
}
