import { Readable } from 'node:stream';
import {
  Body,
  Controller,
  Get,
  HttpCode,
  Inject,
  Param,
  Post,
  Put,
  Query,
  Req,
  Res,
  StreamableFile,
} from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseInstant } from '#domain/calendar';
import {
  currentPriceSheet,
  explainQuote,
  priceSheetAggregate,
  type PriceSheet,
  type PriceSheetCommand,
  type PriceSheetEvent,
  type PriceSheetHistory,
  type PriceSheetVersion,
  priceSheetVersion,
} from '#domain/price-sheet';
import { taxRatesAggregate } from '#domain/pricing';
import type { Accepted, CommandExecutor, CommandContext, EventStore } from '#event-store';
import {
  APP_DIRECTORY,
  type BodyConfig,
  COMMAND_EXECUTOR,
  CommandContexts,
  EVENT_STORE,
  rejected,
  setCommandHeaders,
  setRevision,
} from '#nest';
import { assertDefect } from '#platform';
import { hashContent, type PriceBooks, renderPriceSheetCsv, storeRows } from '#price-books';
import type { AppDirectory } from '#tenancy';
import { ApiCommandHeaders, Callers } from '../auth/callers.decorator.js';
import { RunCommand } from '../commands/run-command.js';
import { EmptyBody } from '../http/empty-body.dto.js';
import { pageOf } from '../http/page.js';
import { PageQuery } from '../http/page.dto.js';
import type { PageTokens } from '../http/page-token.js';
import { AnswersWith } from '../openapi/answer-headers.js';
import { setSheetVersion } from '../prices/price-headers.js';
import { PAGE_TOKENS, PRICE_BOOKS } from '../tokens.js';
import { readPriceSheet } from './price-sheet-body.js';
import {
  ExplainQuery,
  ExplanationDto,
  PriceSheetVersionDto,
  PriceSheetVersionListDto,
  UploadedPriceSheetDto,
} from './price-sheet.dto.js';
import { newestFirst, versionNumber } from './versions.js';

type AcceptedSheet = Accepted<PriceSheetHistory, PriceSheetEvent>;

const WHAT = 'price sheet';
const CSV: BodyConfig = { takes: 'text/csv' };
const CSV_ANSWER = { schema: { type: 'string' } };

@ApiTags('management: prices')
@Callers('operator')
@Controller('manage/apps/:appId/price-sheet')
export class PriceSheetController {
  constructor(
    private readonly bus: CommandBus,
    private readonly contexts: CommandContexts,
    @Inject(APP_DIRECTORY) private readonly apps: AppDirectory,
    @Inject(COMMAND_EXECUTOR) private readonly commands: CommandExecutor,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(PRICE_BOOKS) private readonly books: PriceBooks,
    @Inject(PAGE_TOKENS) private readonly pageTokens: PageTokens,
  ) {}

  /**
   * Takes a whole price sheet, which is in force from now on, or nothing of it: every bad row is named
   * (rules/prices 3). What is in force already makes no new version.
   */
  @Put()
  @RouteConfig(CSV)
  @ApiCommandHeaders('x-price-sheet-version')
  @ApiConsumes('text/csv')
  @ApiBody({ schema: { type: 'string', example: 'priceId,country,currency,amount\n' } })
  async upload(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('appId') appId: string,
  ): Promise<UploadedPriceSheetDto> {
    const keyed = await this.contexts.withIdempotency(request, appId);
    // With a key, If-Match waits for the content: a repetition is answered whatever the revision is.
    if (keyed.commandId === undefined) await this.answerBefore(keyed);
    const sheet = await readPriceSheet(request, keyed.now);
    const contentHash = await hashContent(sheet);
    const context = withContent(keyed, contentHash);
    const earlier = await this.answerBefore(context);
    const result = earlier ?? (await this.storeAndRun(request, sheet, contentHash, context));
    const current = await this.answer(reply, appId, result);
    const { version, rowCount, priceIdCount } = current;
    return { version, rowCount, priceIdCount };
  }

  /** The sheet in force, as CSV. */
  @Get()
  @ApiProduces('text/csv')
  @ApiOkResponse(CSV_ANSWER)
  @AnswersWith('ETag', 'x-price-sheet-version')
  async current(
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('appId') appId: string,
  ): Promise<StreamableFile> {
    const { state, revision } = await this.load(appId);
    const version = currentPriceSheet(state);
    if (version === undefined) throw rejected({ code: 'price_sheet/unknown_version' });
    setRevision(reply, revision);
    return this.csv(reply, appId, version);
  }

  /** All versions, newest first, with who made them current and when. */
  @Get('versions')
  @AnswersWith('ETag')
  async list(
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('appId') appId: string,
    @Query() query: PageQuery,
  ): Promise<PriceSheetVersionListDto> {
    const { state, revision } = await this.load(appId);
    setRevision(reply, revision);
    const list = JSON.stringify(['price sheets', appId]);
    const { sorted, keyOf } = newestFirst(state.versions);
    const { items, nextPageToken } = pageOf(sorted, keyOf, query, list, this.pageTokens);
    return { versions: items.map((version) => renderVersion(version, state)), nextPageToken };
  }

  /** One version, as the CSV of which its content hash is made. */
  @Get('versions/:version')
  @ApiProduces('text/csv')
  @ApiOkResponse(CSV_ANSWER)
  @AnswersWith('x-price-sheet-version')
  async version(
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('appId') appId: string,
    @Param('version') number: string,
  ): Promise<StreamableFile> {
    const { state } = await this.load(appId);
    const version = priceSheetVersion(state, versionNumber(number));
    if (version === undefined) throw rejected({ code: 'price_sheet/unknown_version' });
    return this.csv(reply, appId, version);
  }

  /** Makes an earlier version current again. */
  @Post('versions/:version/activate')
  @HttpCode(200)
  @ApiCommandHeaders('x-price-sheet-version')
  async activate(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('appId') appId: string,
    @Param('version') number: string,
    @Body() _body: EmptyBody,
  ): Promise<UploadedPriceSheetDto> {
    const context = await this.contexts.withIdempotency(request, appId);
    const { now, actor: activatedBy } = context;
    const version = versionNumber(number);
    const command = { kind: 'ActivatePriceSheet', version, activatedBy, now } as const;
    const result = await this.run(command, context);
    const { rowCount, priceIdCount } = await this.answer(reply, appId, result);
    return { version, rowCount, priceIdCount };
  }

  /** Each step of the arithmetic of one price, now or at any moment of the past. */
  @Get('explain')
  async explain(
    @Param('appId') appId: string,
    @Query() { priceId, country, rounding, at }: ExplainQuery,
  ): Promise<ExplanationDto> {
    const moment = parseInstant(at ?? '') ?? this.apps.now(await this.contexts.appOf(appId));
    const { state } = await this.load(appId);
    const version = currentPriceSheet(state, moment);
    const { state: taxRates } = await this.commands.load(taxRatesAggregate, appId);
    const basis = version && {
      sheet: await this.books.loadSheet(appId, version),
      sheetVersion: version.version,
      taxRates,
    };
    const asked = { priceId, country, ...(rounding !== undefined && { rounding }) };
    const answer = explainQuote(basis, asked, moment);
    if (!answer.accepted) throw rejected(answer.rejection);
    return { ...answer.explanation, steps: [...answer.explanation.steps] };
  }

  private async load(appId: string) {
    await this.contexts.appOf(appId);
    return this.commands.load(priceSheetAggregate, appId);
  }

  /** The rows are stored last: what is refused leaves none (rules/http 6). */
  private async storeAndRun(
    request: FastifyRequest,
    sheet: PriceSheet,
    contentHash: string,
    context: CommandContext,
  ): Promise<AcceptedSheet> {
    const plain = await this.contexts.withoutIdempotency(request, context.appId);
    const content = await storeRows(this.store, sheet, contentHash, plain);
    const { now, actor: uploadedBy } = context;
    return this.run({ kind: 'UploadPriceSheet', content, uploadedBy, now }, context);
  }

  /** @throws ApiError 9 or 10 where If-Match or the key refuses the request whatever it says. */
  private async answerBefore(context: CommandContext): Promise<AcceptedSheet | undefined> {
    const { appId } = context;
    const answer = await this.commands.answerBefore(priceSheetAggregate, appId, context);
    if (answer?.accepted === false) throw rejected(answer.rejection, WHAT);
    return answer;
  }

  private async run(command: PriceSheetCommand, context: CommandContext): Promise<AcceptedSheet> {
    const { appId } = context;
    return this.bus.execute(
      new RunCommand(priceSheetAggregate, appId, command, context, { what: WHAT }),
    );
  }

  private async answer(
    reply: FastifyReply,
    appId: string,
    result: AcceptedSheet,
  ): Promise<PriceSheetVersion> {
    const current = currentPriceSheet(result.state);
    assertDefect(current !== undefined, 'an accepted command that leaves no price sheet');
    setCommandHeaders(reply, result);
    setSheetVersion(reply, current.version);
    await this.books.refresh(appId);
    return current;
  }

  private async csv(
    reply: FastifyReply,
    appId: string,
    version: PriceSheetVersion,
  ): Promise<StreamableFile> {
    setSheetVersion(reply, version.version);
    const sheet = await this.books.loadSheet(appId, version);
    return new StreamableFile(Readable.from(renderPriceSheetCsv(sheet)), {
      type: 'text/csv; charset=utf-8',
      disposition: `attachment; filename="price-sheet-${version.version}.csv"`,
    });
  }
}

/** The body went by as a stream: what was asked is told by the content that it had. */
function withContent(context: CommandContext, contentHash: string): CommandContext {
  if (context.commandHash === undefined) return context;
  return { ...context, commandHash: `${context.commandHash}.${contentHash}` };
}

function renderVersion(
  version: PriceSheetVersion,
  history: PriceSheetHistory,
): PriceSheetVersionDto {
  const { contentHash, rowCount, priceIdCount, uploadedBy, uploadedAt } = version;
  return {
    version: version.version,
    current: currentPriceSheet(history)?.version === version.version,
    contentHash,
    rowCount,
    priceIdCount,
    uploadedBy,
    uploadedAt,
    activations: history.activations
      .filter((activation) => activation.version === version.version)
      .map(({ activatedBy, activatedAt }) => ({ activatedBy, activatedAt })),
  };
}
