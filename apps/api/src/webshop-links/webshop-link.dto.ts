import { IsEmail, IsLanguageTag, IsLine, IsRegionCode, NestedObject, Omittable } from '#nest/dto';
import { Timestamp } from '#openapi';

export class WebshopUserDto {
  /** The studio's own id of the player. */
  @IsLine(1, 255)
  id!: string;

  /** Where the player can be written to: it stands in the orders of the session. */
  @Omittable()
  @IsEmail()
  email?: string;
}

/** rules/webshop 1 */
export class CreateWebshopLinkBody {
  @NestedObject(() => WebshopUserDto)
  user!: WebshopUserDto;

  /**
   * The language of the shop, as a tag of BCP 47; without it, the browser's.
   * @example "de-AT"
   */
  @Omittable()
  @IsLanguageTag()
  language?: string;

  /** A CLDR region: a country, or a country and its part. */
  @Omittable()
  @IsRegionCode()
  regionCode?: string;
}

export class WebshopLinkDto {
  /**
   * Opens the shop for this player, once; absolute. It stands for the player: hand it to the player alone.
   * @example "https://pay.example.com/shop/enter/Zm9yIGV4YW1wbGU.Zm9yIGV4YW1wbGUgb25seQ.bm9ib2R5"
   */
  url!: string;

  /** Five minutes later. */
  @Timestamp()
  expiresAt!: string;
}
