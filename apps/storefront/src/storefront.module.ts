import { type DynamicModule, Module } from '@nestjs/common';
import { createGateways } from '#gateway';
import { type LedgerConnection, LedgerModule } from '#nest/program';
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
    { sandboxInProductionApps }: Pick<StorefrontConfig, 'sandboxInProductionApps'>,
  ): DynamicModule {
    const { commands, clock } = connection;
    const gateways = createGateways({ commands, clock, sandboxInProductionApps });
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
