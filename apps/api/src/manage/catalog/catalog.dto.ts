import { ApiProperty } from '@nestjs/swagger';
import { CATALOG_FAILURE_REASONS } from '#domain/catalog';
import { IsLanguageTag, IsLine, Omittable } from '#nest/dto';
import { OneOf, Timestamp } from '#openapi';
import { PageQuery } from '../../http/page.dto.js';

export class CatalogFailureQuery extends PageQuery {
  /** Only the failure that a player was shown with this reference. */
  @Omittable()
  @IsLine(1, 20)
  reference?: string;
}

/** An error at one place of an answer. */
export class CatalogViolationDto {
  /**
   * A JSON path; `$` is the answer as a whole.
   * @example "$.rows[0].items[1].price.amount"
   */
  field!: string;
  description!: string;
}

/** A call of the catalog that failed, as a player met it (rules/catalog 5). */
export class CatalogFailureDto {
  /** The reference that the player was shown. */
  reference!: string;
  @Timestamp()
  at!: string;
  /** The studio's own id of the player; `erased` where the player was erased. */
  playerId!: string;
  language!: string;
  @OneOf(CATALOG_FAILURE_REASONS)
  reason!: string;
  /** The first hundred. */
  violations!: CatalogViolationDto[];
  /** How many there were. */
  @ApiProperty({ type: 'integer' })
  violationCount!: number;
}

export class CatalogFailureListDto {
  /** Newest first. */
  failures!: CatalogFailureDto[];
  /** Empty on the last page. */
  nextPageToken!: string;
}

export class TestCatalogBody {
  /** The studio's own id of the player whose catalog is asked for. */
  @IsLine(1, 255)
  playerId!: string;

  /**
   * As the backend gets it.
   * @example "en"
   */
  @IsLanguageTag()
  language!: string;
}

/** The request, with the key masked. */
export class CatalogRequestDto {
  url!: string;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  headers!: Record<string, string>;
}

/** The answer, as far as it came or was read. */
export class CatalogResponseDto {
  @ApiProperty({ type: 'integer' })
  status!: number;
  /** The first 64 KiB. */
  body!: string;
}

/** Why the call did not come to its end. */
export class CatalogErrorDto {
  @OneOf(CATALOG_FAILURE_REASONS)
  code!: string;
  text!: string;
}

/** One call of the catalog, and its result (rules/catalog 6). */
export class CatalogTestDto {
  request!: CatalogRequestDto;
  @ApiProperty({ type: CatalogResponseDto, nullable: true })
  response!: CatalogResponseDto | null;
  /** The first hundred; none for a catalog that players can be shown. */
  violations!: CatalogViolationDto[];
  @ApiProperty({ type: 'integer' })
  violationCount!: number;
  error?: CatalogErrorDto;
}
