import { type DynamicModule, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { CatalogBreakers, CatalogCaller, CatalogClient, CatalogFailures } from '#catalog';
import { EgressConnections, readEgressOptions } from '#egress';
import { OrderPlacement } from '#nest';
import type { LedgerConnection } from '#nest/program';
import type { Seal } from '#platform';
import { createReadModels, type ReadModels } from '#projection-engine';
import { orders } from '#projections';
import { openRedis, type Redis } from '#redis';
import { type AppSecrets, createShopTokens, type PersonalData } from '#tenancy';
import { EventDeliveries } from '#worker-state';
import type { StorefrontConfig } from '../config.js';
import {
  CATALOGS,
  EVENT_DELIVERIES,
  PERSONAL_DATA,
  READ_MODELS,
  SHOP_TOKENS,
  STOREFRONT_URL,
} from '../tokens.js';
import { Activities } from './activity/activities.js';
import { ViewedItems } from './activity/viewed-items.js';
import { CartViews } from './cart/cart-views.js';
import { OpenCarts } from './cart/open-carts.js';
import { ItemCounts } from './catalog/item-counts.js';
import { PlayerCatalogs } from './catalog/player-catalogs.js';
import { ORDER_HANDLERS, ShopOrdersController } from './controllers/orders.controller.js';
import { CART_HANDLERS, CartController } from './controllers/cart.controller.js';
import { LOYALTY_HANDLERS, ShopLoyaltyController } from './controllers/loyalty.controller.js';
import { SESSION_HANDLERS, SessionController } from './controllers/session.controller.js';
import { SHOP_HANDLERS, ShopController } from './controllers/shop.controller.js';
import { ShopForms } from './http/shop-forms.js';
import { VisitLimits } from './http/visit-limits.js';
import { DeliveredPurchases } from './charges/delivered-purchases.js';
import { EndedOrders } from './charges/ended-orders.js';
import { PlayerStates } from './player-states.js';
import { OrderCharges } from './orders/order-charges.js';
import { PlayerOrders } from './orders/player-orders.js';
import { ShopOrders } from './orders/shop-orders.js';
import { SessionCookie } from './session/session-cookie.js';
import { ShopSessions } from './session/shop-sessions.js';

/** A page waits no longer for mere statistics; the connection comes back by itself. */
const REDIS_LIMITS = { connectTimeout: 2_000, commandTimeout: 500, maxRetriesPerRequest: 0 };
const REDIS = Symbol('Redis');
const EGRESS = Symbol('EgressConnections');

const CONTROLLERS = [
  ...[SessionController, ShopController, CartController, ShopOrdersController],
  ShopLoyaltyController,
];

/** Services that the shop shares with the pages of checkouts. */
interface Shared {
  readonly seal: Seal;
  readonly secrets: AppSecrets;
  readonly personalData: PersonalData;
}

/** The webshop (rules/webshop). Of Redis it needs nothing that it could not do without. */
@Module({})
export class ShopModule implements OnApplicationShutdown {
  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(EGRESS) private readonly egress: EgressConnections,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  static with(
    connection: LedgerConnection,
    config: StorefrontConfig,
    { seal, secrets, personalData }: Shared,
  ): DynamicModule {
    const { layoutId } = connection.identity;
    const redis = openRedis(config.redisUrl, REDIS_LIMITS);
    const egress = new EgressConnections(readEgressOptions(config));
    const catalogs = openCatalogs(connection, config, { egress, secrets, personalData });
    const viewed = new ViewedItems(redis, `sl:${layoutId}:shop:`, connection.log);
    const readModels = createReadModels({
      redis: config.redisUrl,
      identity: connection.identity,
      projections: [orders],
    });
    const deliveries = new EventDeliveries(redis, connection.identity);
    return {
      module: ShopModule,
      controllers: CONTROLLERS,
      providers: [
        { provide: REDIS, useValue: redis },
        { provide: PlayerStates, useValue: new PlayerStates(connection) },
        { provide: EGRESS, useValue: egress },
        { provide: CATALOGS, useValue: catalogs },
        { provide: EVENT_DELIVERIES, useValue: deliveries },
        { provide: READ_MODELS, useValue: readModels },
        { provide: PERSONAL_DATA, useValue: personalData },
        { provide: SHOP_TOKENS, useValue: createShopTokens(seal) },
        { provide: SessionCookie, useValue: new SessionCookie(config.storefrontUrl) },
        { provide: ViewedItems, useValue: viewed },
        ...[Activities, CartViews, DeliveredPurchases, EndedOrders, ItemCounts, OpenCarts],
        ...[OrderCharges, OrderPlacement, PlayerCatalogs, ShopOrders],
        ...[PlayerOrders, ShopForms, ShopSessions, VisitLimits],
        { provide: STOREFRONT_URL, useValue: config.storefrontUrl },
        ...SESSION_HANDLERS,
        ...SHOP_HANDLERS,
        ...CART_HANDLERS,
        ...ORDER_HANDLERS,
        ...LOYALTY_HANDLERS,
      ],
      exports: [Activities, OrderCharges, VisitLimits],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    this.redis.disconnect();
    await this.readModels.close();
    await this.egress.close();
  }
}

function openCatalogs(
  { apps, store, clock, log, stopping: signal }: LedgerConnection,
  settings: StorefrontConfig,
  around: Pick<Shared, 'secrets' | 'personalData'> & { readonly egress: EgressConnections },
): CatalogClient {
  const { egress: connections, secrets, personalData } = around;
  return new CatalogClient({
    ...{ apps, log },
    caller: new CatalogCaller({ secrets, connections, settings, signal }),
    breakers: new CatalogBreakers(),
    failures: new CatalogFailures({ store, secrets, personalData, clock }),
  });
}
