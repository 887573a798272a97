import { Body, Controller, Get, Param, Put, Query, type StreamableFile } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import { type BodyConfig, CommandContext, PostOk } from '#nest';
import { AnswersWith, Refuses } from '#openapi';
import { Allow, ApiCommandHeaders } from '../../auth/allow.decorator.js';
import { EmptyBody } from '../../http/empty-body.dto.js';
import { PageQuery } from '../../http/page.dto.js';
import { Upload } from '../../http/read-upload.js';
import { versionNumber } from '../versions.js';
import { ActivatePriceSheet, ActivatePriceSheetHandler } from './commands/activate-price-sheet.js';
import { UploadPriceSheet, UploadPriceSheetHandler } from './commands/upload-price-sheet.js';
import {
  ExplainQuery,
  ExplanationDto,
  PriceSheetVersionListDto,
  UploadedPriceSheetDto,
  UploadQuery,
} from './price-sheet.dto.js';
import {
  DownloadPriceSheet,
  DownloadPriceSheetHandler,
  ExplainPrice,
  ExplainPriceHandler,
  ListPriceSheetVersions,
  ListPriceSheetVersionsHandler,
} from './queries/read-price-sheets.js';

const SHEET: BodyConfig = { takes: 'sheet' };
const CSV_ANSWER = { schema: { type: 'string' } };

/** The use cases behind the endpoints; the module provides them. */
export const PRICE_SHEET_HANDLERS = [
  UploadPriceSheetHandler,
  ActivatePriceSheetHandler,
  DownloadPriceSheetHandler,
  ListPriceSheetVersionsHandler,
  ExplainPriceHandler,
];

@ApiTags('management: prices')
@Allow('operator')
@Controller('manage/apps/:appId/price-sheet')
export class PriceSheetController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /**
   * Takes a whole price sheet, which is in force from now on, or nothing of it: every bad row is named (rules/prices
   * 3). The version in force makes no new version. Rows that a spreadsheet may have changed are taken where `confirm`
   * says how many they are (rules/prices 9).
   */
  @Put()
  @Refuses('BODY_INCOMPLETE', 'INVALID_PRICE_SHEET', 'PRICE_SHEET_CHANGED', 'PRICE_SHEET_DOUBTFUL')
  @RouteConfig(SHEET)
  @ApiCommandHeaders('x-price-sheet-version')
  @ApiConsumes('text/csv', 'application/vnd.ms-excel')
  @ApiBody({ schema: { type: 'string', example: 'priceId,country,currency,amount\n' } })
  upload(
    @Query() { confirm }: UploadQuery,
    @Upload() upload: Upload,
    @CommandContext() context: CommandContext,
  ): Promise<UploadedPriceSheetDto> {
    const confirmed = confirm === undefined ? 0 : Number(confirm);
    return this.commands.execute(new UploadPriceSheet({ upload, confirmed, context }));
  }

  /** The sheet in force, as CSV. */
  @Get()
  @Refuses('PRICE_SHEET_VERSION_NOT_FOUND')
  @ApiProduces('text/csv')
  @ApiOkResponse(CSV_ANSWER)
  @AnswersWith('ETag', 'x-price-sheet-version')
  current(@Param('appId') appId: string): Promise<StreamableFile> {
    return this.queries.execute(new DownloadPriceSheet({ appId }));
  }

  /** All versions, newest first, with their authors and times. */
  @Get('versions')
  @AnswersWith('ETag')
  list(
    @Param('appId') appId: string,
    @Query() query: PageQuery,
  ): Promise<PriceSheetVersionListDto> {
    return this.queries.execute(new ListPriceSheetVersions({ appId, page: query }));
  }

  /** One version, as the CSV of which its content hash is made. */
  @Get('versions/:version')
  @Refuses('PRICE_SHEET_VERSION_NOT_FOUND')
  @ApiProduces('text/csv')
  @ApiOkResponse(CSV_ANSWER)
  @AnswersWith('x-price-sheet-version')
  version(
    @Param('appId') appId: string,
    @Param('version') version: string,
  ): Promise<StreamableFile> {
    return this.queries.execute(new DownloadPriceSheet({ appId, version }));
  }

  /** Makes an earlier version current again. */
  @PostOk('versions/:version/activate')
  @Refuses('PRICE_SHEET_VERSION_NOT_FOUND')
  @ApiCommandHeaders('x-price-sheet-version')
  activate(
    @Param('version') version: string,
    @Body() _body: EmptyBody,
    @CommandContext() context: CommandContext,
  ): Promise<UploadedPriceSheetDto> {
    return this.commands.execute(
      new ActivatePriceSheet({ version: versionNumber(version), context }),
    );
  }

  /** Each step of the arithmetic of one price, now or at any moment of the past. */
  @Get('explain')
  @Refuses('PRICE_NOT_FOUND', 'PRICE_SHEET_NOT_UPLOADED')
  explain(@Param('appId') appId: string, @Query() query: ExplainQuery): Promise<ExplanationDto> {
    return this.queries.execute(new ExplainPrice({ appId, price: query }));
  }
}
