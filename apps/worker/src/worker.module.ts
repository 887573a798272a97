import { type DynamicModule, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Readiness } from '#nest/program';
import { type Clock, type Log, type Shutdown, wallClock } from '#platform';
import type { WorkerConfig } from './config.js';
import { openConnections, type WorkerConnections } from './connections.js';
import { HeldPartitions } from './partitions/held-partitions.js';
import { Reactor } from './partitions/reactor.js';
import { CONNECTIONS, SHUTDOWN } from './tokens.js';
import { WorkerLoops, WorkerReadiness } from './worker-loops.js';

/** The process: its connections, and the partitions that it holds; each of these is a `PartitionModule`. */
@Module({})
export class WorkerModule implements OnApplicationShutdown {
  constructor(@Inject(CONNECTIONS) private readonly connections: WorkerConnections) {}

  /** Connects. @throws Fault when store or Redis are out of reach. */
  static async with(
    config: WorkerConfig,
    log: Log,
    shutdown: Shutdown,
    clock: Clock = wallClock,
  ): Promise<DynamicModule> {
    const connections = await openConnections(config, log, shutdown, clock);
    return {
      module: WorkerModule,
      providers: [
        { provide: CONNECTIONS, useValue: connections },
        { provide: SHUTDOWN, useValue: shutdown },
        { provide: Readiness, useClass: WorkerReadiness },
        HeldPartitions,
        Reactor,
        WorkerLoops,
      ],
    };
  }

  /** The work has ended by then: it does so in an earlier hook. */
  async onApplicationShutdown(): Promise<void> {
    await this.connections.close();
  }
}
