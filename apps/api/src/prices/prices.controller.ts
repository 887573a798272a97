import { Controller, Header } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBody, ApiHeader, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { type BodyConfig, PostOk } from '#nest';
import { AnswersWith, Refuses } from '#openapi';
import { Allow } from '../auth/allow.decorator.js';
import { ConversionSource } from './conversion-source.decorator.js';
import { ConversionBody, ConversionDto } from './conversion.dto.js';
import { ConvertPrices, ConvertPricesHandler } from './queries/convert-prices.js';

const READS_BYTES: BodyConfig = { readsBytes: true, readsQuery: true };

/** The use cases behind the endpoints; the module provides them. */
export const PRICE_HANDLERS = [ConvertPricesHandler];

@ApiTags('prices')
@Allow('app', 'apiKey')
@Controller('sdk/server/prices')
export class PricesController {
  constructor(private readonly queries: QueryBus) {}

  /**
   * Converts prices of the uploaded price sheet for a country (rules/prices 7). The headers `x-price-sheet-version`,
   * `x-tax-rates-version` and `x-pricing-rule-version` name the source of the amounts.
   */
  @PostOk('convert')
  @Refuses('PRICE_SHEET_NOT_UPLOADED')
  @RouteConfig(READS_BYTES)
  @Header('content-type', 'application/json; charset=utf-8')
  @ApiBody({ type: ConversionBody })
  @ApiOkResponse({ type: ConversionDto })
  @AnswersWith('x-price-sheet-version', 'x-tax-rates-version', 'x-pricing-rule-version')
  @ApiHeader({
    name: 'x-consistency-token',
    required: false,
    description: 'The token of an earlier answer: the conversion knows that write.',
  })
  convert(@ConversionSource() source: ConversionSource): Promise<Buffer> {
    return this.queries.execute(new ConvertPrices({ source }));
  }
}
