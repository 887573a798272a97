import { Module } from '@nestjs/common';
import { LOYALTY_HANDLERS, LoyaltyController } from './loyalty.controller.js';

@Module({ controllers: [LoyaltyController], providers: LOYALTY_HANDLERS })
export class LoyaltyModule {}
