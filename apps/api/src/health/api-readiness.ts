import { Inject, Injectable } from '@nestjs/common';
import { projectionAggregate } from '#domain/projection';
import type { EventStore } from '#event-store';
import { EVENT_STORE, Ledger, LOG } from '#nest';
import { Readiness, WaitsForOperator } from '#nest/program';
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
    ledger: Ledger,
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
        if (!wereBuilt) await requireBuilt(readModels, ledger);
        wereBuilt = true;
      },
    });
  }
}

/** @throws Fault while they are built; WaitsForOperator where an act of an operator is missing. */
async function requireBuilt(readModels: ReadModels, ledger: Ledger): Promise<void> {
  try {
    await readModels.requireBuilt();
  } catch (error) {
    const obstacles = await readModels.findObstacles(
      async (projection) => (await ledger.load(projectionAggregate, projection)).state,
    );
    if (obstacles.length === 0) throw error;
    throw new WaitsForOperator(obstacles.map(({ sentence }) => sentence).join(' '));
  }
}
