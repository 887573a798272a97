import { Inject, Injectable } from '@nestjs/common';
import type { EventStore } from '#event-store';
import { Readiness } from '#nest/program';
import { type Redis, requireMaster } from '#redis';
import { SealingLoop } from './sealing-loop.js';
import { EVENT_STORE, REDIS } from './tokens.js';

/** Ready while store and Redis answer, once all of history is sealed, or another bookkeeper seals. */
@Injectable()
export class BookkeeperReadiness extends Readiness {
  constructor(
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(REDIS) redis: Redis,
    loop: SealingLoop,
  ) {
    super({
      eventStore: () => store.ping(),
      redis: () => requireMaster(redis),
      sealing: () => loop.requireCaughtUp(),
    });
  }
}
