import { type DynamicModule, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { LedgerStore } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { Readiness } from '#nest/program';
import type { Log, Shutdown } from '#platform';
import { connectForReading } from '#projection-engine';
import type { Redis } from '#redis';
import { BookkeeperReadiness } from './bookkeeper-readiness.js';
import type { BookkeeperConfig } from './config.js';
import { SealingLoop } from './sealing-loop.js';
import { CONFIG, EVENT_STORE, LOG, REDIS, SHUTDOWN } from './tokens.js';

@Module({})
export class BookkeeperModule implements OnApplicationShutdown {
  constructor(
    @Inject(EVENT_STORE) private readonly store: LedgerStore,
    @Inject(REDIS) private readonly redis: Redis,
  ) {}

  static with(config: BookkeeperConfig, log: Log, shutdown: Shutdown): DynamicModule {
    const { eventStoreUrl, namespace } = config;
    return {
      module: BookkeeperModule,
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: LOG, useValue: log },
        { provide: SHUTDOWN, useValue: shutdown },
        { provide: EVENT_STORE, useValue: connectEventStore(eventStoreUrl, { namespace }) },
        { provide: REDIS, useValue: connectForReading(config.redisUrl) },
        { provide: Readiness, useClass: BookkeeperReadiness },
        SealingLoop,
      ],
    };
  }

  /** The loop has ended by then: it does so in an earlier hook. */
  async onApplicationShutdown(): Promise<void> {
    this.redis.disconnect();
    await this.store.dispose();
  }
}
