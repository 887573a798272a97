import { type DynamicModule, Module } from '@nestjs/common';
import { Readiness } from '#nest';
import type { Log, Shutdown } from '#platform';
import type { WorkerConfig } from './config.js';
import { InfrastructureModule } from './infrastructure.module.js';
import { BillingClockModule } from './billing-clock/billing-clock.module.js';
import { DeliveryModule } from './delivery/delivery.module.js';
import { FeedModule } from './feed/feed.module.js';
import { ProcessesModule } from './processes/processes.module.js';
import { JobRunners } from './job-runners.js';
import { WorkerLoops } from './worker-loops.js';
import { WorkerReadiness } from './worker-readiness.js';

@Module({})
export class WorkerModule {
  static with(config: WorkerConfig, log: Log, shutdown: Shutdown): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        InfrastructureModule.with(config, log, shutdown),
        FeedModule,
        ProcessesModule,
        DeliveryModule,
        BillingClockModule,
      ],
      providers: [JobRunners, WorkerLoops, { provide: Readiness, useClass: WorkerReadiness }],
    };
  }
}
