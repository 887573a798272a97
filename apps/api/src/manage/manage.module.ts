import { Module } from '@nestjs/common';
import { AppsModule } from './apps/apps.module.js';
import { CatalogModule } from './catalog/catalog.module.js';
import { BrandModule } from './brand/brand.module.js';
import { CurrencyChangesModule } from './currency-changes/currency-changes.module.js';
import { LoyaltyModule } from './loyalty/loyalty.module.js';
import { OperatorTokensModule } from './operator-tokens/operator-tokens.module.js';
import { ManagedPlansModule } from './plans/plans.module.js';
import { PriceSheetModule } from './price-sheet/price-sheet.module.js';
import { QueueBoardModule } from './queue-board/queue-board.module.js';
import { SandboxModule } from './sandbox/sandbox.module.js';
import { TaxRatesModule } from './tax-rates/tax-rates.module.js';
import { TestClockModule } from './test-clock/test-clock.module.js';
import { TimelinesModule } from './timelines/timelines.module.js';
import { WebhookDeliveriesModule } from './webhook-deliveries/webhook-deliveries.module.js';
import { WebhookEndpointsModule } from './webhook-endpoints/webhook-endpoints.module.js';
import { WebhookStatusModule } from './webhook-status/webhook-status.module.js';

/** The operators' routes, behind `/manage`. */
@Module({
  imports: [
    AppsModule,
    CatalogModule,
    BrandModule,
    CurrencyChangesModule,
    LoyaltyModule,
    ManagedPlansModule,
    OperatorTokensModule,
    PriceSheetModule,
    QueueBoardModule,
    SandboxModule,
    TaxRatesModule,
    TestClockModule,
    TimelinesModule,
    WebhookDeliveriesModule,
    WebhookEndpointsModule,
    WebhookStatusModule,
  ],
})
export class ManageModule {}
