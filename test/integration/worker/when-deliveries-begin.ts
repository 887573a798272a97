import { vi } from 'vitest';
import type { INestApplicationContext } from '@nestjs/common';
import { InFlightSet } from '../../../apps/worker/src/redis/in-flight-set.js';

/** Something happens once in a partition, when deliveries are in flight and the checkpoint has not moved yet. */
export function onceWhenDeliveriesBegan(
  partition: INestApplicationContext,
  act: () => Promise<unknown>,
): void {
  const inFlight = partition.get(InFlightSet, { strict: false });
  const begin = inFlight.begin.bind(inFlight);
  const spy = vi.spyOn(inFlight, 'begin').mockImplementation(async (members) => {
    const begun = await begin(members);
    // Charges begin here, too, and have a time.
    if (members.some(({ dueAtMs }) => dueAtMs === null)) {
      spy.mockRestore();
      await act();
    }
    return begun;
  });
}
