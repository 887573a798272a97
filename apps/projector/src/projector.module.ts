import { type DynamicModule, Module } from '@nestjs/common';
import { connectEventStore } from '#event-store';
import type { Log, Shutdown } from '#platform';
import { projections } from '#projections';
import type { ProjectorConfig } from './config.js';
import { ProjectorLoop } from './projector-loop.js';
import { CONFIG, EVENT_STORE, LOG, SHUTDOWN } from './tokens.js';

@Module({})
export class ProjectorModule {
  static with(config: ProjectorConfig, log: Log, shutdown: Shutdown): DynamicModule {
    // With the types that it knows, the codec tells a newer version of one from a stranger.
    const knownTypes = projections.flatMap(({ eventTypes }) => eventTypes);
    const store = connectEventStore(config.eventStoreUrl, { knownTypes });
    shutdown.add('event store', () => store.dispose());
    return {
      module: ProjectorModule,
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: LOG, useValue: log },
        { provide: SHUTDOWN, useValue: shutdown },
        { provide: EVENT_STORE, useValue: store },
        ProjectorLoop,
      ],
    };
  }
}
