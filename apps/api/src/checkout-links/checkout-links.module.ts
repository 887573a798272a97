import { Module } from '@nestjs/common';
import { CheckoutLinksController } from './checkout-links.controller.js';
import { CheckoutOffers } from './checkout-offers.js';
import { CreateCheckoutLinkHandler } from './commands/create-checkout-link.js';

@Module({
  controllers: [CheckoutLinksController],
  providers: [CheckoutOffers, CreateCheckoutLinkHandler],
})
export class CheckoutLinksModule {}
