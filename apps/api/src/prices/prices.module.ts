import { Module } from '@nestjs/common';
import { PricesController } from './prices.controller.js';
import { ConvertPricesHandler } from './queries/convert-prices.js';

@Module({ controllers: [PricesController], providers: [ConvertPricesHandler] })
export class PricesModule {}
