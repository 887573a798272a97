import { type DynamicModule, Module } from '@nestjs/common';
import { createGateways } from '#gateway/apps';
import { type LedgerConnection, LedgerModule } from '#nest/program';
import { createSeal } from '#platform';
import { createAppSecrets } from '#tenancy';
import { CHECKOUT_HANDLERS, CheckoutController } from './checkout/checkout.controller.js';
import { ChangeQuotes } from './checkout/change-quotes.js';
import { KnownLinks } from './checkout/known-links.js';
import { LinkNews } from './checkout/link-news.js';
import type { StorefrontConfig } from './config.js';
import { GATEWAYS } from './tokens.js';

/** What players see. */
@Module({})
export class StorefrontModule {
  static with(
    connection: LedgerConnection,
    config: Pick<StorefrontConfig, 'masterKeys' | 'sandboxInProductionApps' | 'stripeStandIn'>,
  ): DynamicModule {
    const { commands, clock, apps } = connection;
    const secrets = createAppSecrets(createSeal(config.masterKeys));
    const gateways = createGateways({ ...config, commands, clock, apps, secrets });
    return {
      module: StorefrontModule,
      imports: [LedgerModule.with(connection)],
      controllers: [CheckoutController],
      providers: [
        { provide: GATEWAYS, useValue: gateways },
        KnownLinks,
        LinkNews,
        ChangeQuotes,
        ...CHECKOUT_HANDLERS,
      ],
    };
  }
}
