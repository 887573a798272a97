import { Module } from '@nestjs/common';
import { FollowedLedger } from '../followed-ledger.js';
import { APP_HANDLERS, AppsController } from './apps.controller.js';

@Module({
  controllers: [AppsController],
  providers: [FollowedLedger, ...APP_HANDLERS],
})
export class AppsModule {}
