import { Module } from '@nestjs/common';
import { CancelSubscriptionHandler } from './commands/cancel-subscription.js';
import { ReactivateSubscriptionHandler } from './commands/reactivate-subscription.js';
import { GetSubscriptionHandler } from './queries/get-subscription.js';
import { ListSubscriptionPaymentsHandler } from './queries/list-subscription-payments.js';
import { ListSubscriptionsHandler } from './queries/list-subscriptions.js';
import { SubscriptionCommandsController } from './subscription-commands.controller.js';
import { SubscriptionsController } from './subscriptions.controller.js';

@Module({
  controllers: [SubscriptionCommandsController, SubscriptionsController],
  providers: [
    ...[CancelSubscriptionHandler, ReactivateSubscriptionHandler],
    ...[GetSubscriptionHandler, ListSubscriptionsHandler, ListSubscriptionPaymentsHandler],
  ],
})
export class SubscriptionsModule {}
