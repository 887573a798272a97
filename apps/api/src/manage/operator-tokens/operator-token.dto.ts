import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsInt, Max, Min } from 'class-validator';
import { OPERATOR_ROLES, type OperatorRole } from '#domain/operator-tokens';
import { Omittable } from '#nest/dto';
import { Default, Timestamp, TimestampOrEmpty } from '#openapi';
import { DEFAULT_OPERATOR_TOKEN_SECONDS, MAX_OPERATOR_TOKEN_SECONDS } from '#tenancy';

const SECONDS = `must be an integer from 1 to ${MAX_OPERATOR_TOKEN_SECONDS}`;

export class IssueOperatorTokenBody {
  /**
   * The rights of the token: an admin may do everything, a manager all but giving rights, a viewer only look,
   * finance all that is under the app's finance, and nothing else.
   * @example ["viewer"]
   */
  @ArrayMinSize(1, { message: 'must hold at least one role' })
  @ArrayMaxSize(OPERATOR_ROLES.length, {
    message: `must hold at most ${OPERATOR_ROLES.length} roles`,
  })
  @IsIn(OPERATOR_ROLES, { each: true, message: `must be of ${OPERATOR_ROLES.join(', ')}` })
  @IsArray({ message: 'must be a list of roles' })
  roles!: OperatorRole[];

  /** How long the token lives: a day by default, 30 days at most. */
  @Default(DEFAULT_OPERATOR_TOKEN_SECONDS, { maximum: MAX_OPERATOR_TOKEN_SECONDS })
  @Omittable()
  @IsInt({ message: SECONDS })
  @Min(1, { message: SECONDS })
  @Max(MAX_OPERATOR_TOKEN_SECONDS, { message: SECONDS })
  expiresInSeconds: number = DEFAULT_OPERATOR_TOKEN_SECONDS;
}

/** A new token; it is shown this once. */
export class IssuedOperatorTokenDto {
  id!: string;
  /** For `Authorization: Bearer`. */
  token!: string;
  @Timestamp()
  expiresAt!: string;
}

/** A token as lists show it: never with the token itself. */
export class OperatorTokenDto {
  id!: string;
  /** The holder's name; the id where no name was given. */
  name!: string;
  roles!: string[];
  /** The issuer, such as `operator:demo`. */
  issuedBy!: string;
  @Timestamp()
  createdAt!: string;
  @Timestamp()
  expiresAt!: string;
  /** Empty while the token is good. */
  @TimestampOrEmpty()
  revokedAt!: string;
}

export class OperatorTokenListDto {
  operators!: OperatorTokenDto[];
  /** Empty on the last page. */
  nextPageToken!: string;
}
