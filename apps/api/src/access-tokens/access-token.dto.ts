import { IsInt, Max, Min } from 'class-validator';
import { IsLine, Omittable } from '#nest/dto';
import { Default, Timestamp } from '#openapi';
import { MAX_ACCESS_TOKEN_SECONDS } from '#tenancy';

/** An hour: a game's session; its backend asks for another. */
export const DEFAULT_ACCESS_TOKEN_SECONDS = 3600;

export class IssueAccessTokenBody {
  /** The studio's own id of the player. */
  @IsLine(1, 255)
  externalAccountId!: string;

  /** How long the token lives, a day at most. */
  @Default(DEFAULT_ACCESS_TOKEN_SECONDS, { maximum: MAX_ACCESS_TOKEN_SECONDS })
  @Omittable()
  @IsInt({ message: 'must be an integer from 1 to 86400' })
  @Min(1, { message: 'must be an integer from 1 to 86400' })
  @Max(MAX_ACCESS_TOKEN_SECONDS, { message: 'must be an integer from 1 to 86400' })
  expiresInSeconds: number = DEFAULT_ACCESS_TOKEN_SECONDS;
}

export class AccessTokenDto {
  /** A JWT, for `Authorization: Bearer`. */
  accessToken!: string;
  @Timestamp()
  expiresAt!: string;
}
