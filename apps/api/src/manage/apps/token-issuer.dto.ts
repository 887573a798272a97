import { Matches } from 'class-validator';
import { IsLine, Omittable } from '#nest/dto';
import { AUDIENCE, ISSUER } from '#tenancy';
import { Default } from '#openapi';

/** As whom we sign players' tokens ourselves: no other issuer can say so. */
const NOT_OURS = new RegExp(`^(?!${ISSUER}$)`);

/** The issuer, beside the app itself, of its players' tokens: Auth0, Firebase, Cognito, a backend of the studio's. */
export class TokenIssuerBody {
  /**
   * The claim `iss` of its tokens, to the letter.
   * @example "https://studio.eu.auth0.com/"
   */
  @Matches(NOT_OURS, { message: `must be another one than ${ISSUER}` })
  @IsLine(1, 500)
  issuer!: string;

  /**
   * Where its public keys are, as a JWK Set: an address as a webhook endpoint's.
   * @example "https://studio.eu.auth0.com/.well-known/jwks.json"
   */
  @IsLine(1, 2000)
  jwksUrl!: string;

  /** One of the claim `aud` of its tokens. With this one, which all apps share, a token needs the claim `app`. */
  @Default(AUDIENCE)
  @Omittable()
  @IsLine(1, 500)
  audience: string = AUDIENCE;
}

/** Whose tokens are good beside the app's own. */
export class TokenIssuerDto {
  issuer!: string;
  jwksUrl!: string;
  audience!: string;
}
