import type { Clock } from '#platform';
import { OPEN_AT_MOST_MS } from '#endpoint-state';
import { DeliveryUpkeep } from '../../../apps/worker/src/delivery/delivery-upkeep.js';
import { EndpointBreakers } from '../../../apps/worker/src/delivery/endpoint-breakers.js';
import { EndpointQueues } from '../../../apps/worker/src/delivery/endpoint-queues.js';
import { listDelayed, makeDueWithin } from './due-retries.js';
import type { RunningWorker } from './worker-here.js';

type RunningPartition = ReturnType<RunningWorker['partitions']>[number];

/** A worker's clock that can be put ahead, so that retries are made at once whose time lies hours ahead. */
export class RetryClock implements Clock {
  #aheadMs = 0;

  now(): string {
    return new Date(Date.now() + this.#aheadMs).toISOString();
  }

  /**
   * Lets the time pass until the next retry, of an endpoint or of all, and has it made; or until the breaker of the
   * endpoint has been open for long enough, where all that is due waits for that.
   */
  async passUntilDue(worker: RunningWorker, endpointId?: string): Promise<void> {
    const [partition] = worker.partitions();
    const [next] = await listDelayed(worker, endpointId);
    if (next !== undefined) {
      this.#aheadMs += Math.max(0, next.remainingMs);
      await makeDueWithin(worker, next.remainingMs);
    } else if (this.#isAnyOpen(partition)) this.#aheadMs += 2 * OPEN_AT_MOST_MS;
    await partition?.get(DeliveryUpkeep).check();
  }

  #isAnyOpen(partition: RunningPartition | undefined): boolean {
    const queues = [...(partition?.get(EndpointQueues).all ?? [])];
    const breakers = partition?.get(EndpointBreakers);
    return queues.some((queue) => breakers?.find(queue.endpointId) !== undefined);
  }
}
