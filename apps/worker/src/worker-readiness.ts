import { Inject, Injectable } from '@nestjs/common';
import { Readiness } from '#nest/program';
import type { WorkerConnections } from './connections.js';
import { CONNECTIONS } from './tokens.js';
import { WorkerLoops } from './worker-loops.js';

/** Ready while store and Redis answer, once the loops run. */
@Injectable()
export class WorkerReadiness extends Readiness {
  constructor(@Inject(CONNECTIONS) { store, readModels }: WorkerConnections, loops: WorkerLoops) {
    super({
      eventStore: () => store.ping(),
      redis: () => readModels.ping(),
      loops: () => loops.requireStarted(),
    });
  }
}
