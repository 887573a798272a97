import { Inject, Injectable } from '@nestjs/common';
import type { EventStore } from '#event-store';
import { Readiness } from '#nest/program';
import type { ReadModels } from '#projection-engine';
import { EVENT_STORE, READ_MODELS } from './tokens.js';
import { WorkerLoops } from './worker-loops.js';

/** Ready while store and Redis answer, once the loops run. */
@Injectable()
export class WorkerReadiness extends Readiness {
  constructor(
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(READ_MODELS) readModels: ReadModels,
    loops: WorkerLoops,
  ) {
    super({
      eventStore: () => store.ping(),
      redis: () => readModels.ping(),
      loops: () => loops.requireStarted(),
    });
  }
}
