import type { INestApplicationContext } from '@nestjs/common';
import type { WorkerConnections } from '../../../apps/worker/src/connections.js';
import { CONNECTIONS } from '../../../apps/worker/src/tokens.js';
import { wrapGateways } from '../../support/wrap-gateways.js';

/** The sandbox settles seconds after a charge, when it is asked again: it is asked no second time. */
export function holdPendingCharges(worker: INestApplicationContext): { letGo: () => void } {
  const pending = new Set<string>();
  const hold = async <Outcome extends { readonly status: string }>(
    key: string,
    ask: () => Promise<Outcome>,
  ) => {
    if (pending.has(key)) return { status: 'pending' } as const;
    const outcome = await ask();
    if (outcome.status === 'pending') pending.add(key);
    return outcome;
  };
  const { gateways } = worker.get<WorkerConnections>(CONNECTIONS);
  const letGo = wrapGateways(gateways, (gateway) => ({
    ...gateway,
    charge: (asked) => hold(asked.key, () => gateway.charge(asked)),
    findCharge: (query) => hold(query.key, () => gateway.findCharge(query)),
  }));
  return { letGo };
}

/** From now on a refund that is asked for stays open, until it is let go. */
export function holdRefunds(worker: INestApplicationContext): { letGo: () => void } {
  const { gateways } = worker.get<WorkerConnections>(CONNECTIONS);
  const letGo = wrapGateways(gateways, (gateway) => ({
    ...gateway,
    refund: async () => ({ status: 'pending' }),
  }));
  return { letGo };
}
