import { Module } from '@nestjs/common';
import { FollowedLedger } from '../followed-ledger.js';
import { APP_HANDLERS, AppsController } from './apps.controller.js';
import { WantedCatalogs } from './commands/wanted-catalogs.js';
import { WantedGateways } from './commands/wanted-gateways.js';
import { WantedTokenIssuers } from './commands/wanted-token-issuers.js';

@Module({
  controllers: [AppsController],
  providers: [
    ...[FollowedLedger, WantedCatalogs, WantedGateways, WantedTokenIssuers],
    ...APP_HANDLERS,
  ],
})
export class AppsModule {}
