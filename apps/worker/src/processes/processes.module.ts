import { Module } from '@nestjs/common';
import { FeedModule } from '../feed/feed.module.js';
import { ChargeAtGateway } from './payments/charge-at-gateway.js';
import { DailyReconciliation } from './payments/daily-reconciliation.js';
import { GatewaySweep } from './payments/gateway-sweep.js';
import { GivenUpCharges } from './payments/given-up-charges.js';
import { LostCharges } from './payments/lost-charges.js';
import { LostRefunds } from './payments/lost-refunds.js';
import { PaymentCommands } from './payments/payment-commands.js';
import { PaymentHandler } from './payments/payment-handler.js';
import { PaymentRunner } from './payments/payment-runner.js';
import { RefundAtGateway } from './payments/refund-at-gateway.js';
import { ProcessConsumer } from './process-consumer.js';
import { ProcessRouter } from './process-router.js';
import { StepCommands } from './step-commands.js';
import { StepExecutor } from './step-executor.js';

/** What follows from events inside of us: commands, and charges and refunds at the gateway. */
@Module({
  imports: [FeedModule],
  providers: [
    DailyReconciliation,
    ChargeAtGateway,
    GatewaySweep,
    GivenUpCharges,
    LostCharges,
    LostRefunds,
    PaymentCommands,
    PaymentHandler,
    PaymentRunner,
    ProcessConsumer,
    ProcessRouter,
    RefundAtGateway,
    StepCommands,
    StepExecutor,
  ],
  exports: [DailyReconciliation, GatewaySweep, LostCharges, LostRefunds, PaymentRunner],
})
export class ProcessesModule {}
