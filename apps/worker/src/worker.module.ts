import { type DynamicModule, Module } from '@nestjs/common';
import type { Log, Shutdown } from '#platform';
import type { WorkerConfig } from './config.js';
import { InfrastructureModule } from './infrastructure.module.js';
import { PaymentsModule } from './payments/payments.module.js';
import { ReactorModule } from './reactor/reactor.module.js';
import { ScheduleModule } from './schedule/schedule.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';
import { WorkerLoops } from './worker-loops.js';

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
      providers: [WorkerLoops],
    };
  }
}
