import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { upTo } from '#platform';
import { ENDPOINT_ATTEMPTS_AT_ONCE, UNHEALTHY_KEPT } from '../limits.js';

/**
 * How many attempts at an endpoint are made at once: all that it may have while it takes what it is sent, one
 * after a failure, and then twice as many after each success (rules/webhooks 6).
 */
@Injectable()
export class EndpointHealth {
  /** Of the others nothing is known that is bad. */
  readonly #limits = new LRUCache<string, number>(upTo(UNHEALTHY_KEPT));

  limitFor(endpointId: string): number {
    return this.#limits.get(endpointId) ?? ENDPOINT_ATTEMPTS_AT_ONCE;
  }

  succeeded(endpointId: string): void {
    const limit = this.#limits.get(endpointId);
    if (limit === undefined) return;
    if (limit * 2 >= ENDPOINT_ATTEMPTS_AT_ONCE) this.#limits.delete(endpointId);
    else this.#limits.set(endpointId, limit * 2);
  }

  /** Also for one that is enabled again: what it was not sent meanwhile goes out slowly at first. */
  failed(endpointId: string): void {
    this.#limits.set(endpointId, 1);
  }
}
