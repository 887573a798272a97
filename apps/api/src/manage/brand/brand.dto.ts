import { Matches } from 'class-validator';
import { IsEmail, IsHttpsUrl, IsLine, Omittable } from '#nest/dto';

/** Any colour: buttons have black or white text, and links a shade that can be read (rules/storefront 8). */
const ACCENT = /^#[0-9a-f]{6}$/i;

/** How the game presents itself on pages for players; omitted fields are not shown. */
export class BrandDto {
  /** The name by which players know the game or its studio. */
  @IsLine(1, 80)
  name!: string;

  /** A picture, shown 40 pixels high. */
  @Omittable()
  @IsHttpsUrl()
  logoUrl?: string;

  /**
   * The colour of buttons and links.
   * @example "#c2410c"
   */
  @Omittable()
  @Matches(ACCENT, { message: 'must be a colour such as #c2410c' })
  accentColor?: string;

  @Omittable()
  @IsHttpsUrl()
  supportUrl?: string;

  @Omittable()
  @IsEmail()
  supportEmail?: string;

  @Omittable()
  @IsHttpsUrl()
  termsUrl?: string;

  @Omittable()
  @IsHttpsUrl()
  privacyUrl?: string;
}
