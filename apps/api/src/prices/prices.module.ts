import { Module } from '@nestjs/common';
import { PRICE_HANDLERS, PricesController } from './prices.controller.js';

@Module({ controllers: [PricesController], providers: PRICE_HANDLERS })
export class PricesModule {}
