import { Module } from '@nestjs/common';
import { FeedModule } from '../feed/feed.module.js';
import { PaymentJobsModule } from '../payments/payment-jobs.module.js';
import { ProcessConsumer } from './process-consumer.js';
import { ProcessRouter } from './process-router.js';
import { StepCommands } from './step-commands.js';
import { StepExecutor } from './step-executor.js';

/** The processes: commands, charges and refunds follow from events. */
@Module({
  imports: [FeedModule, PaymentJobsModule],
  providers: [ProcessConsumer, ProcessRouter, StepCommands, StepExecutor],
})
export class ProcessesModule {}
