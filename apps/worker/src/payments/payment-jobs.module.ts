import { Module } from '@nestjs/common';
import { FeedModule } from '../feed/feed.module.js';
import { ChargeAtGateway } from './charge-at-gateway.js';
import { DailyReconciliation, ReconciliationRuns } from './daily-reconciliation.js';
import { GatewaySweep } from './gateway-sweep.js';
import { GivenUpCharges } from './given-up-charges.js';
import { LostCharges } from './lost-charges.js';
import { LostRefunds } from './lost-refunds.js';
import { OpenPayments } from './lost-sweep.js';
import { PaymentCommands } from './payment-commands.js';
import { PaymentHandler } from './payment-handler.js';
import { PaymentRunner } from './payment-runner.js';
import { RefundAtGateway } from './refund-at-gateway.js';

/** Charges and refunds at the gateway. */
@Module({
  imports: [FeedModule],
  providers: [
    ChargeAtGateway,
    DailyReconciliation,
    GatewaySweep,
    GivenUpCharges,
    LostCharges,
    LostRefunds,
    OpenPayments,
    ReconciliationRuns,
    PaymentCommands,
    PaymentHandler,
    PaymentRunner,
    RefundAtGateway,
  ],
  exports: [DailyReconciliation, GatewaySweep, LostCharges, LostRefunds, PaymentRunner],
})
export class PaymentJobsModule {}
