import { Module } from '@nestjs/common';
import { FollowedLedger } from '../followed-ledger.js';
import { BRAND_HANDLERS, BrandController } from './brand.controller.js';

@Module({ controllers: [BrandController], providers: [FollowedLedger, ...BRAND_HANDLERS] })
export class BrandModule {}
