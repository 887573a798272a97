import { Body, Controller, Get, Inject, Param, Put, Query, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseInstant } from '#domain/calendar';
import {
  type TaxRate,
  taxRatesAggregate,
  taxRatesInForce,
  type TaxRatesVersion,
} from '#domain/pricing';
import type { CommandExecutor } from '#event-store';
import {
  APP_DIRECTORY,
  type BodyConfig,
  COMMAND_EXECUTOR,
  CommandContexts,
  notFound,
  setCommandHeaders,
  setRevision,
} from '#nest';
import type { PriceBooks } from '#price-books';
import type { AppDirectory } from '#tenancy';
import { ApiCommandHeaders, Callers } from '../auth/callers.decorator.js';
import { RunCommand } from '../commands/run-command.js';
import { pageOf } from '../http/page.js';
import { PageQuery } from '../http/page.dto.js';
import type { PageTokens } from '../http/page-token.js';
import { AnswersWith } from '../openapi/answer-headers.js';
import { setTaxVersion } from '../prices/price-headers.js';
import { PAGE_TOKENS, PRICE_BOOKS } from '../tokens.js';
import {
  type TaxRateDto,
  TaxRatesAtQuery,
  TaxRatesDto,
  TaxRatesVersionDto,
  TaxRatesVersionListDto,
} from './tax-rates.dto.js';
import { newestFirst, versionNumber } from './versions.js';

/** Five thousand rates, the most that there can be, take some 400 kB, and four fields each. */
const BODY: BodyConfig = { bodyLimitBytes: 1_048_576, maxValues: 30_000 };

@ApiTags('management: prices')
@Callers('operator')
@Controller('manage/apps/:appId/tax-rates')
export class TaxRatesController {
  constructor(
    private readonly bus: CommandBus,
    private readonly contexts: CommandContexts,
    @Inject(APP_DIRECTORY) private readonly apps: AppDirectory,
    @Inject(COMMAND_EXECUTOR) private readonly commands: CommandExecutor,
    @Inject(PRICE_BOOKS) private readonly books: PriceBooks,
    @Inject(PAGE_TOKENS) private readonly pageTokens: PageTokens,
  ) {}

  /**
   * Puts all rates in the place of those before, from now on or from `effectiveFrom`, which must not
   * be past. The header `x-tax-rates-version` names the version that this makes.
   */
  @Put()
  @RouteConfig(BODY)
  @ApiCommandHeaders('x-tax-rates-version')
  async set(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('appId') appId: string,
    @Body() body: TaxRatesDto,
  ): Promise<TaxRatesDto> {
    const rates = body.rates.map(toTaxRate);
    const effectiveFrom = parseInstant(body.effectiveFrom ?? '');
    const context = await this.contexts.withIdempotency(request, appId);
    const { now, actor: setBy } = context;
    const scheduled = effectiveFrom === undefined ? {} : { effectiveFrom };
    const command = { kind: 'SetTaxRates', rates, ...scheduled, setBy, now } as const;
    const run = new RunCommand(taxRatesAggregate, appId, command, context, { what: 'tax rates' });
    const result = await this.bus.execute(run);
    const inForce = taxRatesInForce(result.state, now);
    const made = effectiveFrom === undefined ? inForce : result.state.versions.at(-1);
    setCommandHeaders(reply, result);
    setTaxVersion(reply, made?.version ?? 0);
    await this.books.refresh(appId);
    return { rates, ...scheduled };
  }

  /** The rates in force, now or at a moment of the past; none before the first were set. */
  @Get()
  @AnswersWith('ETag', 'x-tax-rates-version')
  async inForce(
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('appId') appId: string,
    @Query() { at }: TaxRatesAtQuery,
  ): Promise<TaxRatesDto> {
    const moment = parseInstant(at ?? '') ?? this.apps.now(await this.contexts.appOf(appId));
    const { state, revision } = await this.load(appId);
    const inForce = taxRatesInForce(state, moment);
    setRevision(reply, revision);
    setTaxVersion(reply, inForce?.version ?? 0);
    return { rates: [...(inForce?.rates ?? [])] };
  }

  /** All versions, newest first. */
  @Get('versions')
  @AnswersWith('ETag')
  async list(
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('appId') appId: string,
    @Query() query: PageQuery,
  ): Promise<TaxRatesVersionListDto> {
    const { state, revision } = await this.load(appId);
    setRevision(reply, revision);
    const list = JSON.stringify(['tax rates', appId]);
    const { sorted, keyOf } = newestFirst(state.versions);
    const { items, nextPageToken } = pageOf(sorted, keyOf, query, list, this.pageTokens);
    return { versions: items.map(renderVersion), nextPageToken };
  }

  /** The rates of one version. */
  @Get('versions/:version')
  @AnswersWith('x-tax-rates-version')
  async version(
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('appId') appId: string,
    @Param('version') number: string,
  ): Promise<TaxRatesDto> {
    const { state } = await this.load(appId);
    const found = state.versions.find(({ version }) => version === versionNumber(number));
    if (found === undefined) throw notFound('tax rates version', number);
    setTaxVersion(reply, found.version);
    return { rates: [...found.rates], effectiveFrom: found.effectiveFrom };
  }

  private async load(appId: string) {
    await this.contexts.appOf(appId);
    return this.commands.load(taxRatesAggregate, appId);
  }
}

/** As it is stored: fields in one order, so that equal rates are equal texts. */
function toTaxRate({ country, region, rate, inclusive }: TaxRateDto): TaxRate {
  return { country, ...(typeof region === 'string' && { region }), rate, inclusive };
}

function renderVersion(version: TaxRatesVersion): TaxRatesVersionDto {
  const { rates, effectiveFrom, setBy, setAt } = version;
  return { version: version.version, rateCount: rates.length, effectiveFrom, setBy, setAt };
}
