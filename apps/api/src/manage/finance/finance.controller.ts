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
import { CloseDto, RestatedCloseDto, VerifiedClosesDto } from './close.dto.js';
import { AcceptRow, AcceptRowHandler } from './commands/accept-row.js';
import { ApproveClose, ApproveCloseHandler } from './commands/approve-close.js';
import { ClosePeriod, ClosePeriodHandler } from './commands/close-period.js';
import { ImportPayout, ImportPayoutHandler } from './commands/import-payout.js';
import { ImportStripeReport, ImportStripeReportHandler } from './commands/import-stripe-report.js';
import { SetFinancePolicy, SetFinancePolicyHandler } from './commands/set-policy.js';
import { readExplainTask } from './explain-question.js';
import {
  AcceptedRowDto,
  ExplainFinanceQuery,
  FinancePoliciesDto,
  FinanceReportDto,
  ImportQuery,
  ImportReportDto,
  ReconciledPayoutDto,
  ReportQuery,
  SetFinancePolicyBody,
} from './finance.dto.js';
import { FinanceApps } from './finance-apps.js';
import { GatewayAccounts } from './gateway-accounts.js';
import { PolicyChecks } from './policy-checks.js';
import { AskBookkeeper, AskBookkeeperHandler } from './queries/ask-bookkeeper.js';
import { ReadReport, ReadReportHandler } from './queries/read-report.js';
import { ReconcilePayout, ReconcilePayoutHandler } from './queries/reconcile-payout.js';
import { ShowPolicies, ShowPoliciesHandler } from './queries/show-policies.js';
import { requirePeriod } from './require-period.js';

const SHEET: BodyConfig = { takes: 'sheet' };
const TEXT = { schema: { type: 'string' } } as const;
/** Refusals of all questions that a bookkeeper answers. */
const BY_BOOKKEEPER = ['NO_BOOKKEEPER', 'REPORT_REFUSED', 'TOO_MANY_REPORTS'];
const BYTES = { schema: { type: 'string', format: 'binary' } } as const;

/** The use cases behind the endpoints, with their checks; the module provides them. */
export const FINANCE_HANDLERS = [
  FinanceApps,
  GatewayAccounts,
  PolicyChecks,
  AcceptRowHandler,
  ApproveCloseHandler,
  AskBookkeeperHandler,
  ClosePeriodHandler,
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
   * Closes a month as of a checkpoint that is made for it, or asks for its close where the policy wants two people.
   * Each gate that is shut is in fieldViolations, with the way to open it. There is no reopening.
   */
  @PostOk('close/:period')
  @Refuses(
    ...['CLOSE_GATES_SHUT', 'GATEWAY_KEYS_MISSING', 'NO_BOOKKEEPER', 'NOTHING_BOOKED'],
    ...['NOTHING_SEALED', 'PERIOD_CLOSED', 'PERIOD_NOT_NEXT', 'PERIOD_NOT_OVER'],
    ...['POLICY_CHANGED', 'REPORT_REFUSED', 'TOO_MANY_REPORTS'],
  )
  @ApiCommandHeaders()
  close(
    @Param('period') period: string,
    @Body() { reason }: ReasonBody,
    @CommandContext() context: CommandContext,
    @ClientGone() gone: AbortSignal,
  ): Promise<CloseDto> {
    return this.commands.execute(new ClosePeriod({ period, reason, context, gone }));
  }

  /** Closes a month as another person has asked for, as of the checkpoint of the request. */
  @PostOk('approve/:period')
  @Refuses('NO_CLOSE_REQUESTED', 'SECOND_PERSON_NEEDED')
  @ApiCommandHeaders()
  approve(
    @Param('period') period: string,
    @Body() { reason }: ReasonBody,
    @CommandContext() context: CommandContext,
  ): Promise<CloseDto> {
    return this.commands.execute(new ApproveClose({ period, reason, context }));
  }

  /** Computes the reports of all closed months anew, from the log and not from the books, and compares their bytes. */
  @Get('verify')
  @Refuses(...BY_BOOKKEEPER, 'PERIOD_OPEN')
  @ApiOkResponse({ type: VerifiedClosesDto })
  verifyAll(@Param('appId') app: string, @ClientGone() gone: AbortSignal): Promise<StreamableFile> {
    const task = { app, kind: 'verify', wanted: 'all' } as const;
    return this.queries.execute(new AskBookkeeper({ task, gone }));
  }

  /** Computes the reports of a closed month anew, from the log and not from the books, and compares their bytes. */
  @Get('verify/:period')
  @Refuses(...BY_BOOKKEEPER, 'PERIOD_OPEN')
  @ApiOkResponse({ type: VerifiedClosesDto })
  verify(
    @Param('appId') app: string,
    @Param('period') period: string,
    @ClientGone() gone: AbortSignal,
  ): Promise<StreamableFile> {
    const task = { app, kind: 'verify', wanted: { period: requirePeriod(period) } } as const;
    return this.queries.execute(new AskBookkeeper({ task, gone }));
  }

  /** A closed month beside the same month at the last checkpoint, with every entry of the difference; changes nothing. */
  @Get('restate/:period')
  @Refuses(...BY_BOOKKEEPER, 'PERIOD_OPEN', 'SEAL_CHECKPOINT_NOT_FOUND')
  @ApiOkResponse({ type: RestatedCloseDto })
  restate(
    @Param('appId') app: string,
    @Param('period') period: string,
    @ClientGone() gone: AbortSignal,
  ): Promise<StreamableFile> {
    const task = { app, kind: 'restate', period: requirePeriod(period) } as const;
    return this.queries.execute(new AskBookkeeper({ task, gone }));
  }

  /**
   * Where a figure comes from: an entry, a payment, "ACCOUNT PERIOD"; of a subscription, its next charge. The answer
   * leads to events with their causes, actors and requests, and to the proof that they are in the checkpoint.
   */
  @Get('explain')
  @Refuses(
    ...[...BY_BOOKKEEPER, 'ACCOUNT_NOT_FOUND', 'ENTRY_NOT_FOUND', 'NOTHING_SEALED'],
    ...['PAYMENT_NOT_FOUND', 'PERIOD_NOT_BEGUN', 'PERIOD_OPEN', 'SEAL_CHECKPOINT_NOT_FOUND'],
    'SUBSCRIPTION_NOT_FOUND',
  )
  @ApiOkResponse({ schema: { type: 'object', additionalProperties: true } })
  explain(
    @Param('appId') app: string,
    @Query() query: ExplainFinanceQuery,
    @ClientGone() gone: AbortSignal,
  ): Promise<StreamableFile> {
    const task = readExplainTask(app, query);
    return this.queries.execute(new AskBookkeeper({ task, gone }));
  }

  /**
   * A report of the books, in the bytes of the command. The reports are trial-balance, journal, deferred, waterfall,
   * revenue, tax, mrr, mrr-movements, lost-to-dunning and payouts. A bookkeeper makes them; where none runs, the answer
   * is 503.
   */
  @Get(':report')
  @Refuses(
    ...[...BY_BOOKKEEPER, 'NOTHING_SEALED', 'PERIOD_NOT_BEGUN', 'PERIOD_OPEN'],
    ...['REPORT_NOT_FOUND', 'SEAL_CHECKPOINT_NOT_FOUND'],
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
