import {
  IsCode,
  IsCurrencyCode,
  IsLanguageTag,
  IsLine,
  IsRegionCode,
  NestedObject,
  Omittable,
  StringsByName,
} from '#nest/dto';

/** Which plan a link sells: exactly one of the two. */
export class PlanReferenceDto {
  @Omittable()
  @IsCode()
  code?: string;

  @Omittable()
  @IsLine(1, 64)
  id?: string;
}

export class UserDto {
  /** The studio's own id of the player. */
  @IsLine(1, 255)
  id!: string;
}

/** rules/payments 10 */
export class CreateCheckoutLinkBody {
  @NestedObject(() => PlanReferenceDto)
  plan!: PlanReferenceDto;

  /** @example "USD" */
  @IsCurrencyCode()
  currency!: string;

  @NestedObject(() => UserDto)
  user!: UserDto;

  @Omittable()
  @IsCode()
  segmentId?: string;

  /** A CLDR region: a country, or a country and its part. */
  @Omittable()
  @IsRegionCode()
  regionCode?: string;

  /**
   * The language of the hosted page, as a tag of BCP 47; without it, the browser's.
   * @example "de-AT"
   */
  @Omittable()
  @IsLanguageTag()
  language?: string;

  /**
   * Where the page leads back to the game, https: `checkout=completed` or `canceled` and `id`, the
   * link's, are added behind its query, which has neither of them.
   * @example "https://game.example/shop"
   */
  @Omittable()
  @IsLine(1, 2048)
  returnUrl?: string;

  /** The studio's own reference: it stands in the subscription, its payments and their webhooks. */
  @Omittable()
  @IsLine(0, 255)
  referenceId?: string;

  /** Strings by name, attached to the payments and sent with their webhooks. */
  @Omittable()
  @StringsByName()
  metadata?: Record<string, string>;
}

export class CheckoutLinkDto {
  id!: string;
  /**
   * The hosted page, absolute.
   * @example "https://pay.example.com/checkout/cl_0123456789abcdefghjkmnpqrs"
   */
  url!: string;
}
