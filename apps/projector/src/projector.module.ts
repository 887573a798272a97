import { type DynamicModule, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { LedgerStore } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { EVENT_STORE, LOG } from '#nest';
import { Readiness } from '#nest/program';
import type { Log, Shutdown } from '#platform';
import { connectForReading } from '#projection-engine';
import { eventTypesIn } from '#projection-engine/define';
import { projections } from '#projections';
import type { Redis } from '#redis';
import type { ProjectorConfig } from './config.js';
import { ProjectorLoop } from './projector-loop.js';
import { ProjectorReadiness } from './projector-readiness.js';
import { CONFIG, REDIS, SHUTDOWN } from './tokens.js';

@Module({})
export class ProjectorModule implements OnApplicationShutdown {
  constructor(
    @Inject(EVENT_STORE) private readonly store: LedgerStore,
    @Inject(REDIS) private readonly redis: Redis,
  ) {}

  static with(config: ProjectorConfig, log: Log, shutdown: Shutdown): DynamicModule {
    // With the types that it knows, the codec tells a newer version of one from a stranger.
    const knownTypes = [
      ...projections.flatMap(({ eventTypes, ignoredTypes = [] }) => [
        ...eventTypes,
        ...ignoredTypes,
      ]),
      ...eventTypesIn('projection'),
    ];
    const { eventStoreUrl, namespace } = config;
    const store = connectEventStore(eventStoreUrl, { knownTypes, namespace });
    return {
      module: ProjectorModule,
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: LOG, useValue: log },
        { provide: SHUTDOWN, useValue: shutdown },
        { provide: EVENT_STORE, useValue: store },
        { provide: REDIS, useValue: connectForReading(config.redisUrl) },
        { provide: Readiness, useClass: ProjectorReadiness },
        ProjectorLoop,
      ],
    };
  }

  /** The loop has ended by then: it does so in an earlier hook. */
  async onApplicationShutdown(): Promise<void> {
    this.redis.disconnect();
    await this.store.dispose();
  }
}
