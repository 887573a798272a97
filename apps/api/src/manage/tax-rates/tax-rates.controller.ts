import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiTags } from '@nestjs/swagger';
import { type BodyConfig, CommandContext } from '#nest';
import { AnswersWith, Refuses } from '#openapi';
import { Allow, ApiCommandHeaders } from '../../auth/allow.decorator.js';
import { PageQuery } from '../../http/page.dto.js';
import { SetTaxRates, SetTaxRatesHandler } from './commands/set-tax-rates.js';
import {
  GetTaxRates,
  GetTaxRatesHandler,
  GetTaxRatesVersion,
  GetTaxRatesVersionHandler,
  ListTaxRatesVersions,
  ListTaxRatesVersionsHandler,
} from './queries/read-tax-rates.js';
import { TaxRatesAtQuery, TaxRatesDto, TaxRatesVersionListDto } from './tax-rates.dto.js';

/** Five thousand rates, the most that there can be, take some 400 kB, and four fields each. */
const BODY: BodyConfig = { bodyLimitBytes: 1_048_576, maxValues: 30_000 };

/** The use cases behind the endpoints; the module provides them. */
export const TAX_RATES_HANDLERS = [
  SetTaxRatesHandler,
  GetTaxRatesHandler,
  GetTaxRatesVersionHandler,
  ListTaxRatesVersionsHandler,
];

@ApiTags('management: prices')
@Allow('operator')
@Controller('manage/apps/:appId/tax-rates')
export class TaxRatesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /**
   * Puts all rates in the place of those before, from now on or from `effectiveFrom`, which must not
   * be past. The header `x-tax-rates-version` names the version that this makes.
   */
  @Put()
  @RouteConfig(BODY)
  @ApiCommandHeaders('x-tax-rates-version')
  set(@Body() body: TaxRatesDto, @CommandContext() context: CommandContext): Promise<TaxRatesDto> {
    return this.commands.execute(new SetTaxRates({ wanted: body, context }));
  }

  /** The rates in force, now or at a moment of the past; none before the first were set. */
  @Get()
  @AnswersWith('ETag', 'x-tax-rates-version')
  inForce(@Param('appId') appId: string, @Query() { at }: TaxRatesAtQuery): Promise<TaxRatesDto> {
    return this.queries.execute(new GetTaxRates({ appId, at }));
  }

  /** All versions, newest first. */
  @Get('versions')
  @AnswersWith('ETag')
  list(@Param('appId') appId: string, @Query() query: PageQuery): Promise<TaxRatesVersionListDto> {
    return this.queries.execute(new ListTaxRatesVersions({ appId, page: query }));
  }

  /** The rates of one version. */
  @Get('versions/:version')
  @Refuses('TAX_RATES_VERSION_NOT_FOUND')
  @AnswersWith('x-tax-rates-version')
  version(@Param('appId') appId: string, @Param('version') version: string): Promise<TaxRatesDto> {
    return this.queries.execute(new GetTaxRatesVersion({ appId, version }));
  }
}
