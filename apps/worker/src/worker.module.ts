import { type DynamicModule, Module } from '@nestjs/common';
import { Readiness } from '#nest';
import type { Log, Shutdown } from '#platform';
import type { WorkerConfig } from './config.js';
import { InfrastructureModule } from './infrastructure.module.js';
import { PaymentsModule } from './processes/payments/payments.module.js';
import { ReactorModule } from './feed/feed.module.js';
import { ScheduleModule } from './billing-clock/billing-clock.module.js';
import { WebhooksModule } from './delivery/delivery.module.js';
import { WorkerLoops } from './worker-loops.js';
import { WorkerReadiness } from './worker-readiness.js';

@Module({})
export class WorkerModule {
  static with(config: WorkerConfig, log: Log, shutdown: Shutdown): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        InfrastructureModule.with(config, log, shutdown),
        PaymentsModule,
        WebhooksModule,
        ReactorModule,
        ScheduleModule,
      ],
      providers: [WorkerLoops, { provide: Readiness, useClass: WorkerReadiness }],
    };
  }
}
