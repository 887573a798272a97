import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { OrderPlacement } from '#nest';
import {
  ACCESS_TOKEN_HANDLERS,
  AccessTokensController,
} from './access-tokens/access-tokens.controller.js';
import { AuthGuard } from './auth/auth.guard.js';
import {
  CHANGE_LINK_HANDLERS,
  ChangeLinksController,
} from './change-links/change-links.controller.js';
import {
  CHECKOUT_LINK_HANDLERS,
  CheckoutLinksController,
} from './checkout-links/checkout-links.controller.js';
import { CheckoutOffers } from './checkout-links/checkout-offers.js';
import {
  GATEWAY_NOTICE_HANDLERS,
  GatewayNoticesController,
} from './gateway-notices/gateway-notices.controller.js';
import { MANAGE_CONTROLLERS, MANAGE_PROVIDERS } from './manage/manage.parts.js';
import { OrderCreations } from './orders/commands/order-creations.js';
import { ORDER_HANDLERS, OrdersController } from './orders/orders.controller.js';
import { PAYMENT_HANDLERS, PaymentsController } from './payments/payments.controller.js';
import { PLAN_HANDLERS, PlansController } from './plans/plans.controller.js';
import { PRICE_HANDLERS, PricesController } from './prices/prices.controller.js';
import { REGION_HANDLERS, RegionController } from './subscriptions/region.controller.js';
import { AttestedSeals } from './seal/queries/read-seals.js';
import { SEAL_HANDLERS, SealController } from './seal/seal.controller.js';
import {
  SUBSCRIPTION_COMMAND_HANDLERS,
  SubscriptionCommandsController,
} from './subscriptions/subscription-commands.controller.js';
import {
  SUBSCRIPTION_QUERY_HANDLERS,
  SubscriptionsController,
} from './subscriptions/subscriptions.controller.js';
import {
  WEBSHOP_LINK_HANDLERS,
  WebshopLinksController,
} from './webshop-links/webshop-links.controller.js';

/** Everything that is asked over HTTP (rules/api 10). The guard stands before all of it. */
@Module({
  controllers: [
    AccessTokensController,
    ChangeLinksController,
    CheckoutLinksController,
    GatewayNoticesController,
    ...MANAGE_CONTROLLERS,
    OrdersController,
    PaymentsController,
    PlansController,
    PricesController,
    SealController,
    SubscriptionCommandsController,
    SubscriptionsController,
    RegionController,
    WebshopLinksController,
  ],
  providers: [
    { provide: APP_GUARD, useClass: AuthGuard },
    CheckoutOffers,
    OrderCreations,
    OrderPlacement,
    ...ACCESS_TOKEN_HANDLERS,
    ...CHANGE_LINK_HANDLERS,
    ...CHECKOUT_LINK_HANDLERS,
    ...GATEWAY_NOTICE_HANDLERS,
    ...MANAGE_PROVIDERS,
    ...ORDER_HANDLERS,
    ...PAYMENT_HANDLERS,
    ...PLAN_HANDLERS,
    ...PRICE_HANDLERS,
    AttestedSeals,
    ...SEAL_HANDLERS,
    ...SUBSCRIPTION_COMMAND_HANDLERS,
    ...SUBSCRIPTION_QUERY_HANDLERS,
    ...REGION_HANDLERS,
    ...WEBSHOP_LINK_HANDLERS,
  ],
})
export class ApiModule {}

/** One Nest application out of parts. */
@Module({})
export class RootModule {
  static of(...imports: NonNullable<DynamicModule['imports']>): DynamicModule {
    return { module: RootModule, imports };
  }
}
