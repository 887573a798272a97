import { jest } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { DeliveryQueue } from '../../../apps/worker/src/delivery/delivery-queue.js';

/** Something happens once in a partition, when messages are enqueued and their jobs are not added yet. */
export function onceBeforeJobsAreAdded(
  partition: INestApplicationContext,
  act: () => Promise<unknown>,
): void {
  const { queue } = partition.get(DeliveryQueue, { strict: false });
  const addBulk = queue.addBulk.bind(queue);
  jest.spyOn(queue, 'addBulk').mockImplementationOnce(async (jobs) => {
    await act();
    return addBulk(jobs);
  });
}
