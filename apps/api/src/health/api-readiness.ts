import { Inject, Injectable } from '@nestjs/common';
import type { EventStore } from '#event-store';
import { EVENT_STORE, LOG } from '#nest';
import { Readiness } from '#nest/program';
import { type Log, warnSeldom } from '#platform';
import type { ReadModels } from '#projection-engine';
import { READ_MODELS, REQUIRE_SAME_LEDGER } from '../tokens.js';

/**
 * Ready while store and Redis answer and the ledger is the one that this process began with, once the read
 * models of this release have answered: in a rolling deploy the old release serves until then.
 */
@Injectable()
export class ApiReadiness extends Readiness {
  constructor(
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(READ_MODELS) readModels: ReadModels,
    @Inject(REQUIRE_SAME_LEDGER) requireSameLedger: () => Promise<void>,
    @Inject(LOG) log: Log,
  ) {
    let wereBuilt = false;
    super({
      eventStore: () => store.ping(),
      redis: () => readModels.ping(),
      ledger: () =>
        requireSameLedger().catch((error: unknown) => {
          warnSeldom(log, error, 'this API does not read what is written now');
          throw error;
        }),
      projections: async () => {
        if (!wereBuilt) await readModels.requireBuilt();
        wereBuilt = true;
      },
    });
  }
}
