import { type DynamicModule, Module } from '@nestjs/common';
import { Readiness } from '#nest/program';
import type { Log, Shutdown } from '#platform';
import type { WorkerConfig } from './config.js';
import { BillingClockModule } from './billing-clock/billing-clock.module.js';
import { WorkerConnectionsModule, openConnections } from './connections.module.js';
import { DeliveryModule } from './delivery/delivery.module.js';
import { FeedModule } from './feed/feed.module.js';
import { ProcessesModule } from './processes/processes.module.js';
import { JobRunners } from './job-runners.js';
import { WorkerLoops } from './worker-loops.js';
import { WorkerReadiness } from './worker-readiness.js';

@Module({})
export class WorkerModule {
  /**
   * Connects, and imports the modules of the worker. @throws Fault when store or Redis are out of
   * reach.
   */
  static async with(config: WorkerConfig, log: Log, shutdown: Shutdown): Promise<DynamicModule> {
    const connections = await openConnections(config, log, shutdown);
    return {
      module: WorkerModule,
      imports: [
        WorkerConnectionsModule.with(config, connections, log, shutdown),
        FeedModule,
        ProcessesModule,
        DeliveryModule,
        BillingClockModule,
      ],
      providers: [JobRunners, WorkerLoops, { provide: Readiness, useClass: WorkerReadiness }],
    };
  }
}
