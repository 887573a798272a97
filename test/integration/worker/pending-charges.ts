import { jest } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import type { WorkerConnections } from '../../../apps/worker/src/connections.js';
import { CONNECTIONS } from '../../../apps/worker/src/tokens.js';

/** The sandbox settles seconds after a charge, when it is asked again: it is asked no second time. */
export function holdPendingCharges(worker: INestApplicationContext): { letGo: () => void } {
  const gateway = worker.get<WorkerConnections>(CONNECTIONS).gateways.of('test');
  if (gateway === undefined) throw new Error('there is no gateway');
  const pending = new Set<string>();
  const charge = gateway.charge.bind(gateway);
  const held = jest.spyOn(gateway, 'charge').mockImplementation(async (asked) => {
    if (pending.has(asked.key)) return { status: 'pending' };
    const outcome = await charge(asked);
    if (outcome.status === 'pending') pending.add(asked.key);
    return outcome;
  });
  return { letGo: () => held.mockRestore() };
}
