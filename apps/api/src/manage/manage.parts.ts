import { APP_HANDLERS, AppsController } from './apps/apps.controller.js';
import { WantedSettings } from './apps/commands/wanted-settings.js';
import { BRAND_HANDLERS, BrandController } from './brand/brand.controller.js';
import { CATALOG_HANDLERS, CatalogController } from './catalog/catalog.controller.js';
import { CATALOG_PROVIDERS } from './catalog/catalog.providers.js';
import {
  CURRENCY_CHANGE_HANDLERS,
  CurrencyChangesController,
} from './currency-changes/currency-changes.controller.js';
import { CurrencyMoves } from './currency-changes/currency-moves.js';
import { FINANCE_HANDLERS, FinanceController } from './finance/finance.controller.js';
import { FollowedLedger } from './followed-ledger.js';
import { LOYALTY_HANDLERS, LoyaltyController } from './loyalty/loyalty.controller.js';
import { OperatorTokenRegister } from './operator-tokens/commands/operator-tokens.js';
import {
  OPERATOR_TOKEN_HANDLERS,
  OperatorTokensController,
} from './operator-tokens/operator-tokens.controller.js';
import { PlanCodes } from './plans/plan-codes.js';
import { PlanRules } from './plans/plan-rules.js';
import { MANAGED_PLAN_HANDLERS, ManagedPlansController } from './plans/plans.controller.js';
import {
  PRICE_SHEET_HANDLERS,
  PriceSheetController,
} from './price-sheet/price-sheet.controller.js';
import { SheetHistory } from './price-sheet/queries/read-price-sheets.js';
import { BoardGuard } from './queue-board/board.guard.js';
import { QueueBoardController } from './queue-board/queue-board.controller.js';
import { ActsOnReadModels } from './projections/commands/act-on-read-model.js';
import { LedgerOfReadModels } from './projections/ledger-of-read-models.js';
import {
  PROJECTION_HANDLERS,
  ProjectionsController,
} from './projections/projections.controller.js';
import { ShownReadModels } from './projections/queries/read-projections.js';
import { QueueBoard } from './queue-board/queue-board.js';
import { SandboxDisputes } from './sandbox/commands/sandbox-disputes.js';
import { EndsByDispute } from './sandbox/ends-by-dispute.js';
import { SANDBOX_HANDLERS, SandboxController } from './sandbox/sandbox.controller.js';
import { TaxRatesHistory } from './tax-rates/queries/read-tax-rates.js';
import { TAX_RATES_HANDLERS, TaxRatesController } from './tax-rates/tax-rates.controller.js';
import { TEST_CLOCK_HANDLERS, TestClockController } from './test-clock/test-clock.controller.js';
import { TestClockProgress } from './test-clock/test-clock.handlers.js';
import { TIMELINE_HANDLERS, TimelinesController } from './timelines/timelines.controller.js';
import { MessageBodies } from './webhook-deliveries/message-bodies.js';
import {
  WEBHOOK_DELIVERY_HANDLERS,
  WebhookDeliveriesController,
} from './webhook-deliveries/webhook-deliveries.controller.js';
import { EndpointRules } from './webhook-endpoints/endpoint-rules.js';
import { FailedDeliveries } from './webhook-endpoints/failed-deliveries.js';
import { NamedMessages } from './webhook-endpoints/named-messages.js';
import { RangeMessages } from './webhook-endpoints/range-messages.js';
import { ResendableMessages } from './webhook-endpoints/resendable-messages.js';
import {
  WEBHOOK_ENDPOINT_HANDLERS,
  WebhookEndpointsController,
} from './webhook-endpoints/webhook-endpoints.controller.js';
import { EndpointStatuses, WrittenTimes } from './webhook-status/endpoint-statuses.js';
import {
  WEBHOOK_STATUS_HANDLERS,
  WebhookStatusController,
} from './webhook-status/webhook-status.controller.js';

/** The operators' routes, behind `/manage`; documents list them in this order. */
export const MANAGE_CONTROLLERS = [
  AppsController,
  CatalogController,
  BrandController,
  CurrencyChangesController,
  FinanceController,
  LoyaltyController,
  ManagedPlansController,
  OperatorTokensController,
  PriceSheetController,
  ProjectionsController,
  QueueBoardController,
  SandboxController,
  TaxRatesController,
  TestClockController,
  TimelinesController,
  WebhookDeliveriesController,
  WebhookEndpointsController,
  WebhookStatusController,
];

/** The use cases behind them, with all that these need. */
export const MANAGE_PROVIDERS = [
  FollowedLedger,
  WantedSettings,
  CurrencyMoves,
  PlanCodes,
  PlanRules,
  OperatorTokenRegister,
  SheetHistory,
  LedgerOfReadModels,
  ShownReadModels,
  ActsOnReadModels,
  BoardGuard,
  QueueBoard,
  SandboxDisputes,
  EndsByDispute,
  TaxRatesHistory,
  TestClockProgress,
  MessageBodies,
  EndpointRules,
  FailedDeliveries,
  NamedMessages,
  RangeMessages,
  ResendableMessages,
  EndpointStatuses,
  WrittenTimes,
  ...APP_HANDLERS,
  ...CATALOG_PROVIDERS,
  ...CATALOG_HANDLERS,
  ...BRAND_HANDLERS,
  ...CURRENCY_CHANGE_HANDLERS,
  ...FINANCE_HANDLERS,
  ...LOYALTY_HANDLERS,
  ...MANAGED_PLAN_HANDLERS,
  ...OPERATOR_TOKEN_HANDLERS,
  ...PRICE_SHEET_HANDLERS,
  ...PROJECTION_HANDLERS,
  ...SANDBOX_HANDLERS,
  ...TAX_RATES_HANDLERS,
  ...TEST_CLOCK_HANDLERS,
  ...TIMELINE_HANDLERS,
  ...WEBHOOK_DELIVERY_HANDLERS,
  ...WEBHOOK_ENDPOINT_HANDLERS,
  ...WEBHOOK_STATUS_HANDLERS,
];
