import { type DynamicModule, Module } from '@nestjs/common';
import { AccessTokensController } from './access-tokens/access-tokens.controller.js';
import { CheckoutLinksController } from './checkout/checkout-links.controller.js';
import { HealthController } from './health/health.controller.js';
import { AppsController } from './manage/apps.controller.js';
import { OperatorTokensController } from './manage/operator-tokens.controller.js';
import { PlanCreation } from './manage/plan-creation.js';
import { ManagedPlansController } from './manage/plans.controller.js';
import { PriceSheetController } from './manage/price-sheet.controller.js';
import { TaxRatesController } from './manage/tax-rates.controller.js';
import { TestClockController } from './manage/test-clock.controller.js';
import { WebhookEndpointsController } from './manage/webhook-endpoints.controller.js';
import { PaymentsController } from './payments/payments.controller.js';
import { PlansController } from './plans/plans.controller.js';
import { PricesController } from './prices/prices.controller.js';
import { SubscriptionCommandsController } from './subscriptions/subscription-commands.controller.js';
import { SubscriptionsController } from './subscriptions/subscriptions.controller.js';

/** Health and metrics; on the API's own port, or on ADMIN_PORT where that is set. */
@Module({ controllers: [HealthController] })
export class HealthModule {}

/** Everything that is asked over HTTP (rules/api 10). */
@Module({
  controllers: [
    AccessTokensController,
    AppsController,
    CheckoutLinksController,
    ManagedPlansController,
    OperatorTokensController,
    PaymentsController,
    PlansController,
    PricesController,
    PriceSheetController,
    SubscriptionCommandsController,
    SubscriptionsController,
    TaxRatesController,
    TestClockController,
    WebhookEndpointsController,
  ],
  providers: [PlanCreation],
})
export class ApiModule {}

/** One Nest application out of parts. */
@Module({})
export class RootModule {
  static of(...imports: NonNullable<DynamicModule['imports']>): DynamicModule {
    return { module: RootModule, imports };
  }
}
