import { Module } from '@nestjs/common';
import { FollowedLedger } from '../followed-ledger.js';
import { AppsController } from './apps.controller.js';
import { AddSegmentHandler } from './commands/add-segment.js';
import { ConfigureAppHandler } from './commands/configure-app.js';
import { CreateAppHandler } from './commands/create-app.js';
import { RotateIngressSecretHandler } from './commands/rotate-ingress-secret.js';
import { GetAppHandler } from './queries/get-app.js';
import { ListAppsHandler } from './queries/list-apps.js';
import { ListSegmentsHandler } from './queries/list-segments.js';

@Module({
  controllers: [AppsController],
  providers: [
    FollowedLedger,
    ...[CreateAppHandler, ConfigureAppHandler, RotateIngressSecretHandler, AddSegmentHandler],
    ...[GetAppHandler, ListAppsHandler, ListSegmentsHandler],
  ],
})
export class AppsModule {}
