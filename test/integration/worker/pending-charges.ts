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
  const find = gateway.findCharge.bind(gateway);
  const hold = async <Outcome extends { readonly status: string }>(
    key: string,
    ask: () => Promise<Outcome>,
  ) => {
    if (pending.has(key)) return { status: 'pending' } as const;
    const outcome = await ask();
    if (outcome.status === 'pending') pending.add(key);
    return outcome;
  };
  const held = [
    jest
      .spyOn(gateway, 'charge')
      .mockImplementation((asked) => hold(asked.key, () => charge(asked))),
    jest
      .spyOn(gateway, 'findCharge')
      .mockImplementation((query) => hold(query.key, () => find(query))),
  ];
  return {
    letGo: () => {
      for (const spy of held) spy.mockRestore();
    },
  };
}
