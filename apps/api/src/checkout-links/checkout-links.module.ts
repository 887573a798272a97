import { Module } from '@nestjs/common';
import { CHECKOUT_LINK_HANDLERS, CheckoutLinksController } from './checkout-links.controller.js';
import { CheckoutOffers } from './checkout-offers.js';

@Module({
  controllers: [CheckoutLinksController],
  providers: [CheckoutOffers, ...CHECKOUT_LINK_HANDLERS],
})
export class CheckoutLinksModule {}
