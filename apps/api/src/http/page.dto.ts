import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsInt, IsString, Max, MaxLength, Min, ValidateBy } from 'class-validator';
import { Omittable } from '#nest/dto';
import { Default } from '#openapi';

/** rules/api 16: pages hold 50 unless asked otherwise, and 100 at most. */
export const DEFAULT_PAGE_SIZE = 50;
export const MAX_PAGE_SIZE = 100;

/** Base64url of at least a tag; empty for the first page. Which list gave it is seen when it is read. */
const PAGE_TOKEN = /^(?:[\w-]{16,})?$/;
const OTHER_TOKEN = 'must be the nextPageToken of the same list';
const INTEGER = /^-?\d{1,15}$/;

/** The query of every paged list (rules/api 16). */
export class PageQuery {
  /**
   * The most that one page holds.
   * @example 50
   */
  @Default(DEFAULT_PAGE_SIZE, { maximum: MAX_PAGE_SIZE })
  @Omittable()
  @Transform(({ value }: { value: unknown }) => toInteger(value))
  @IsInt({ message: 'must be an integer from 1 to 100' })
  @Min(1, { message: 'must be an integer from 1 to 100' })
  @Max(MAX_PAGE_SIZE, { message: 'must be an integer from 1 to 100' })
  limit: number = DEFAULT_PAGE_SIZE;

  /** The nextPageToken of the page before; omitted for the first page. */
  @IsPageToken()
  pageToken?: string;
}

/** A page token, or nothing. */
export function IsPageToken(): PropertyDecorator {
  return applyDecorators(
    Omittable(),
    IsString({ message: 'must be a string' }),
    MaxLength(1024, { message: OTHER_TOKEN }),
    ValidateBy({
      name: 'isPageToken',
      validator: { validate: isPageToken, defaultMessage: () => OTHER_TOKEN },
    }),
  );
}

function isPageToken(value: unknown): boolean {
  return typeof value === 'string' && PAGE_TOKEN.test(value);
}

/** Digits only: `1e2` and `0x64` are numbers to JavaScript, but no limits. */
export function toInteger(value: unknown): unknown {
  return typeof value === 'string' && INTEGER.test(value) ? Number(value) : value;
}
