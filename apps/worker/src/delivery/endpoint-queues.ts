import { Injectable } from '@nestjs/common';
import { EndpointQueue } from './endpoint-queue.js';

/** The queues of all endpoints that deliveries of the partition are in flight to, by the endpoints' ids. */
@Injectable()
export class EndpointQueues {
  readonly #queues = new Map<string, EndpointQueue>();

  get all(): Iterable<EndpointQueue> {
    return this.#queues.values();
  }

  find(endpointId: string): EndpointQueue | undefined {
    return this.#queues.get(endpointId);
  }

  /** The queue of an endpoint; a new one where nothing is in flight to it. */
  require(endpointId: string, appId: string): EndpointQueue {
    const known = this.#queues.get(endpointId);
    if (known !== undefined) return known;
    const queue = new EndpointQueue(endpointId, appId);
    this.#queues.set(endpointId, queue);
    return queue;
  }

  /** Queues with nothing in them are not kept: there may be 10,000 apps. */
  dropEmpty(queue: EndpointQueue): void {
    const { endpointId, size } = queue;
    // Another one may have taken its place since it was dropped.
    if (size === 0 && this.#queues.get(endpointId) === queue) this.#queues.delete(endpointId);
  }
}
