import { Inject, Injectable } from '@nestjs/common';
import type { EventStore } from '#event-store';
import { EVENT_STORE } from '#nest';
import { Readiness } from '#nest/program';
import type { ReadModels } from '#projection-engine';
import { READ_MODELS } from '../tokens.js';

/** Ready while store and Redis answer. */
@Injectable()
export class ApiReadiness extends Readiness {
  constructor(@Inject(EVENT_STORE) store: EventStore, @Inject(READ_MODELS) readModels: ReadModels) {
    super({ eventStore: () => store.ping(), redis: () => readModels.ping() });
  }
}
