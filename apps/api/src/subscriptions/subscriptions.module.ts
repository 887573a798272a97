import { Module } from '@nestjs/common';
import { REGION_HANDLERS, RegionController } from './region.controller.js';
import {
  SUBSCRIPTION_COMMAND_HANDLERS,
  SubscriptionCommandsController,
} from './subscription-commands.controller.js';
import {
  SUBSCRIPTION_QUERY_HANDLERS,
  SubscriptionsController,
} from './subscriptions.controller.js';

@Module({
  controllers: [SubscriptionCommandsController, SubscriptionsController, RegionController],
  providers: [...SUBSCRIPTION_COMMAND_HANDLERS, ...SUBSCRIPTION_QUERY_HANDLERS, ...REGION_HANDLERS],
})
export class SubscriptionsModule {}
