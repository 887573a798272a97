import { Inject, Injectable } from '@nestjs/common';
import type { EventStore } from '#event-store';
import { EVENT_STORE } from '#nest';
import { Readiness } from '#nest/program';
import { type Redis, requireMaster } from '#redis';
import { ProjectorLoop } from './projector-loop.js';
import { REDIS } from './tokens.js';

/** Ready while store and Redis answer, once all of history is in the read models. */
@Injectable()
export class ProjectorReadiness extends Readiness {
  constructor(
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(REDIS) redis: Redis,
    loop: ProjectorLoop,
  ) {
    super({
      eventStore: () => store.ping(),
      redis: () => requireMaster(redis),
      projections: () => loop.requireCaughtUp(),
    });
  }
}
