import type { Clock } from '#platform';
import { DeliveryUpkeep } from '../../../apps/worker/src/delivery/queue/delivery-upkeep.js';
import { listDelayed, makeDue } from './due-retries.js';
import type { RunningWorker } from './worker-here.js';

/**
 * The clock of this process, which can be put ahead, so that retries are made at once whose time lies hours ahead: the
 * worker's, BullMQ's and that of the breakers.
 */
export class RetryClock implements Clock {
  readonly #now = Date.now;
  #aheadMs = 0;

  constructor() {
    Date.now = () => this.#now() + this.#aheadMs;
  }

  /** Other tests of the process have their own time. */
  stop(): void {
    Date.now = this.#now;
  }

  now(): string {
    return new Date(Date.now()).toISOString();
  }

  /** Lets the time pass until the next retry, of an endpoint or of all, and has it made. */
  async passUntilDue(worker: RunningWorker, endpointId?: string): Promise<void> {
    const [next] = await listDelayed(worker, endpointId);
    if (next !== undefined) this.#aheadMs += Math.max(0, Math.ceil(next.remainingMs));
    await makeDue(worker);
    await worker.partitions()[0]?.get(DeliveryUpkeep).check();
  }
}
