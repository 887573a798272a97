import type { Clock } from '#platform';
import { OPEN_AT_MOST_MS } from '#endpoint-state';
import { DeliveryUpkeep } from '../../../apps/worker/src/delivery/delivery-upkeep.js';
import { EndpointBreakers } from '../../../apps/worker/src/delivery/endpoint-breakers.js';
import { EndpointQueues } from '../../../apps/worker/src/delivery/endpoint-queues.js';
import { RETRY_WOKEN_LATE_MS } from '../../../apps/worker/src/limits.js';
import type { RunningWorker } from './worker-here.js';

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
    const queues = [...(partition?.get(EndpointQueues).all ?? [])];
    const waiting = queues
      .filter((queue) => endpointId === undefined || queue.endpointId === endpointId)
      .flatMap((queue) => [...queue.overdue(Infinity)]);
    const dueAtMs = Math.min(...waiting.map((item) => item.dueAtMs ?? Infinity));
    const breakers = partition?.get(EndpointBreakers);
    const isOpen = queues.some((queue) => breakers?.find(queue.endpointId) !== undefined);
    if (dueAtMs === Infinity && !isOpen) return;
    if (dueAtMs === Infinity) this.#aheadMs += 2 * OPEN_AT_MOST_MS;
    else this.#aheadMs = Math.max(this.#aheadMs, dueAtMs + RETRY_WOKEN_LATE_MS + 1 - Date.now());
    await partition?.get(DeliveryUpkeep).check();
  }
}
