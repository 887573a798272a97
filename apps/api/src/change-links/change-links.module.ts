import { Module } from '@nestjs/common';
import { CheckoutOffers } from '../checkout-links/checkout-offers.js';
import { CHANGE_LINK_HANDLERS, ChangeLinksController } from './change-links.controller.js';

@Module({
  controllers: [ChangeLinksController],
  providers: [CheckoutOffers, ...CHANGE_LINK_HANDLERS],
})
export class ChangeLinksModule {}
