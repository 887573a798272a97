import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AccessTokensModule } from './access-tokens/access-tokens.module.js';
import { AuthGuard } from './auth/auth.guard.js';
import { ChangeLinksModule } from './change-links/change-links.module.js';
import { CheckoutLinksModule } from './checkout-links/checkout-links.module.js';
import { GatewayNoticesModule } from './gateway-notices/gateway-notices.module.js';
import { ManageModule } from './manage/manage.module.js';
import { OrdersModule } from './orders/orders.module.js';
import { PaymentsModule } from './payments/payments.module.js';
import { PlansModule } from './plans/plans.module.js';
import { PricesModule } from './prices/prices.module.js';
import { SubscriptionsModule } from './subscriptions/subscriptions.module.js';
import { WebshopLinksModule } from './webshop-links/webshop-links.module.js';

/** Everything that is asked over HTTP (rules/api 10). The guard stands before all of it. */
@Module({
  imports: [
    AccessTokensModule,
    ChangeLinksModule,
    CheckoutLinksModule,
    GatewayNoticesModule,
    ManageModule,
    OrdersModule,
    PaymentsModule,
    PlansModule,
    PricesModule,
    SubscriptionsModule,
    WebshopLinksModule,
  ],
  providers: [{ provide: APP_GUARD, useClass: AuthGuard }],
})
export class ApiModule {}

/** One Nest application out of parts. */
@Module({})
export class RootModule {
  static of(...imports: NonNullable<DynamicModule['imports']>): DynamicModule {
    return { module: RootModule, imports };
  }
}
