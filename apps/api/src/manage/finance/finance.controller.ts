import {
  Body,
  Controller,
  Get,
  Param,
  Put,
  Query,
  type StreamableFile,
  UseInterceptors,
} from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import {
  ApiBody,
  ApiConsumes,
  ApiExtraModels,
  ApiOkResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { type BodyConfig, CommandContext, CommandSource, PostOk } from '#nest';
import { Refuses } from '#openapi';
import { Allow, ApiCommandHeaders } from '../../auth/allow.decorator.js';
import { ClientGone } from '../../http/client-gone.decorator.js';
import { EmptyBody } from '../../http/empty-body.dto.js';
import { Upload } from '../../http/read-upload.js';
import { ReasonBody } from '../projections/projection.dto.js';
import { AcceptRow, AcceptRowHandler } from './commands/accept-row.js';
import { ImportPayout, ImportPayoutHandler } from './commands/import-payout.js';
import { ImportStripeReport, ImportStripeReportHandler } from './commands/import-stripe-report.js';
import { SetFinancePolicy, SetFinancePolicyHandler } from './commands/set-policy.js';
import {
  AcceptedRowDto,
  FinancePoliciesDto,
  FinanceReportDto,
  ImportQuery,
  ImportReportDto,
  ReconciledPayoutDto,
  ReportQuery,
  SetFinancePolicyBody,
} from './finance.dto.js';
import { FinanceApps } from './finance-apps.js';
import { PolicyChecks } from './policy-checks.js';
import { ReadReport, ReadReportHandler } from './queries/read-report.js';
import { ReconcilePayout, ReconcilePayoutHandler } from './queries/reconcile-payout.js';
import { ShowPolicies, ShowPoliciesHandler } from './queries/show-policies.js';

const SHEET: BodyConfig = { takes: 'sheet' };
const TEXT = { schema: { type: 'string' } } as const;
const BYTES = { schema: { type: 'string', format: 'binary' } } as const;

/** The use cases behind the endpoints, with their checks; the module provides them. */
export const FINANCE_HANDLERS = [
  FinanceApps,
  PolicyChecks,
  AcceptRowHandler,
  ImportPayoutHandler,
  ImportStripeReportHandler,
  ReadReportHandler,
  ReconcilePayoutHandler,
  SetFinancePolicyHandler,
  ShowPoliciesHandler,
];

/** The books of an app: the acts and reports of finance, by the paths of the commands (rules/finance). */
@ApiTags('management: finance')
@Allow('operator')
@ApiExtraModels(FinanceReportDto)
@Controller('manage/apps/:appId/finance')
export class FinanceController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** The policies of the app, its closed periods, and rows of payouts that were accepted. */
  @Get('policy')
  policies(@Param('appId') appId: string): Promise<FinancePoliciesDto> {
    return this.queries.execute(new ShowPolicies({ appId }));
  }

  /** Sets the zone of days and periods, how items are earned and whether two people close, from an open period on. */
  @Put('policy')
  @UseInterceptors(PolicyChecks)
  @ApiCommandHeaders()
  setPolicy(
    @Body() policy: SetFinancePolicyBody,
    @CommandContext() context: CommandContext,
  ): Promise<FinancePoliciesDto> {
    return this.commands.execute(new SetFinancePolicy({ policy, context }));
  }

  /** Imports an itemized report of Stripe's as it is, or nothing of it; the same one again changes nothing. */
  @PostOk('import/stripe')
  @Refuses('BODY_INCOMPLETE', 'BODY_TOO_LARGE', 'COLUMNS_MISSING', 'ROWS_REFUSED')
  @RouteConfig(SHEET)
  @ApiConsumes('text/csv', 'application/vnd.ms-excel')
  @ApiBody({ schema: { type: 'string', example: 'balance_transaction_id,created_utc,currency\n' } })
  importStripe(
    @Param('appId') appId: string,
    @Query() { zone }: ImportQuery,
    @Upload() upload: Upload,
    @CommandSource() source: CommandSource,
  ): Promise<ImportReportDto> {
    return this.commands.execute(new ImportStripeReport({ appId, upload, zone, source }));
  }

  /** Imports the rows of a payout by Stripe's API, with the app's own keys; again, it changes nothing. */
  @PostOk('import/stripe/:payoutId')
  @Refuses('GATEWAY_KEYS_MISSING', 'PAYOUT_NOT_FOUND', 'ROWS_REFUSED')
  importPayout(
    @Param('appId') appId: string,
    @Param('payoutId') payoutId: string,
    @Body() _body: EmptyBody,
    @CommandSource() source: CommandSource,
    @ClientGone() gone: AbortSignal,
  ): Promise<ImportReportDto> {
    return this.commands.execute(new ImportPayout({ appId, payoutId, source, gone }));
  }

  /** Each row of a payout with the amounts of ledger, gateway and payout; those that differ are open. */
  @Get('reconcile/:payoutId')
  @Refuses('PAYOUT_NOT_FOUND', 'GATEWAY_KEYS_MISSING')
  reconcile(
    @Param('appId') appId: string,
    @Param('payoutId') payoutId: string,
    @CommandSource() source: CommandSource,
    @ClientGone() gone: AbortSignal,
  ): Promise<ReconciledPayoutDto> {
    return this.queries.execute(new ReconcilePayout({ appId, payoutId, source, gone }));
  }

  /** Takes an imported row as it is, although ledger or gateway have it otherwise. It changes no figure. */
  @PostOk('accept/:row')
  @Refuses('ROW_NOT_FOUND')
  @ApiCommandHeaders()
  accept(
    @Param('row') row: string,
    @Body() { reason }: ReasonBody,
    @CommandContext() context: CommandContext,
  ): Promise<AcceptedRowDto> {
    return this.commands.execute(new AcceptRow({ row, reason, context }));
  }

  /**
   * A report of the books, in the bytes of the command. The reports are trial-balance, journal, deferred, waterfall,
   * revenue, tax, mrr, mrr-movements, lost-to-dunning and payouts. A bookkeeper makes them; where none runs, the answer
   * is 503.
   */
  @Get(':report')
  @Refuses(
    ...['NO_BOOKKEEPER', 'NOTHING_SEALED', 'PERIOD_NOT_BEGUN', 'PERIOD_OPEN'],
    ...['REPORT_NOT_FOUND', 'REPORT_REFUSED', 'SEAL_CHECKPOINT_NOT_FOUND', 'TOO_MANY_REPORTS'],
  )
  @ApiOkResponse({
    content: {
      'application/json': { schema: { $ref: getSchemaPath(FinanceReportDto) } },
      'text/csv': TEXT,
      'text/plain': TEXT,
      'application/vnd.apache.parquet': BYTES,
    },
  })
  report(
    @Param('appId') appId: string,
    @Param('report') report: string,
    @Query() query: ReportQuery,
    @ClientGone() gone: AbortSignal,
  ): Promise<StreamableFile> {
    return this.queries.execute(new ReadReport({ appId, report, query, gone }));
  }
}
