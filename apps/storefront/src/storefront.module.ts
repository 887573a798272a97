import { type DynamicModule, Module } from '@nestjs/common';
import { createSandboxChallenges } from '#gateway';
import { createGateways } from '#gateway/apps';
import { type LedgerConnection, LedgerModule } from '#nest/program';
import { createSeal } from '#platform';
import { createAppSecrets, createChallengeAddresses, createPersonalData } from '#tenancy';
import { AskedChallenges } from './bank/asked-challenges.js';
import { BANK_HANDLERS, BankController } from './bank/bank.controller.js';
import { AccentController } from './brand/accent.controller.js';
import { CARD_ENTRY_HANDLERS, CardEntryController } from './checkout/card-entry.controller.js';
import { CHECKOUT_HANDLERS, CheckoutController } from './checkout/checkout.controller.js';
import { ChangeQuotes } from './checkout/change-quotes.js';
import { LinkPayments } from './checkout/link-payments.js';
import { ChosenMethods } from './links/chosen-methods.js';
import { KnownLinks } from './links/known-links.js';
import { PaymentForms } from './links/payment-forms.js';
import { LinkNews } from './links/link-news.js';
import type { StorefrontConfig } from './config.js';
import { OrderClicks } from './order/order-clicks.js';
import { OrderLinks } from './order/order-links.js';
import { OrderOpenings } from './order/order-openings.js';
import { ShopModule } from './shop/shop.module.js';
import {
  CHALLENGE_ADDRESSES,
  GATEWAYS,
  PERSONAL_DATA,
  SANDBOX_CHALLENGES,
  STOREFRONT_URL,
} from './tokens.js';

/** The pages for players. */
@Module({})
export class StorefrontModule {
  static with(connection: LedgerConnection, config: StorefrontConfig): DynamicModule {
    const { commands, clock, apps, live } = connection;
    const seal = createSeal(config.masterKeys);
    const secrets = createAppSecrets(seal);
    const personalData = createPersonalData({ live, commands, seal });
    const shop = ShopModule.with(connection, config, { seal, secrets, personalData });
    const gateways = createGateways({ ...config, commands, clock, apps, secrets });
    return {
      module: StorefrontModule,
      imports: [LedgerModule.with(connection, secrets), shop],
      controllers: [AccentController, CheckoutController, BankController, CardEntryController],
      providers: [
        { provide: GATEWAYS, useValue: gateways },
        { provide: SANDBOX_CHALLENGES, useValue: createSandboxChallenges({ commands, clock }) },
        { provide: CHALLENGE_ADDRESSES, useValue: createChallengeAddresses(seal) },
        { provide: PERSONAL_DATA, useValue: personalData },
        { provide: STOREFRONT_URL, useValue: config.storefrontUrl },
        AskedChallenges,
        ...[ChosenMethods, KnownLinks, OrderClicks, PaymentForms],
        ...[LinkNews, LinkPayments, ChangeQuotes, OrderLinks, OrderOpenings],
        ...CHECKOUT_HANDLERS,
        ...BANK_HANDLERS,
        ...CARD_ENTRY_HANDLERS,
      ],
    };
  }
}
