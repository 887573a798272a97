import { Injectable } from '@nestjs/common';
import { ENDPOINT_ATTEMPTS_AT_ONCE } from '../limits.js';
import { EndpointHealth } from './endpoint-health.js';
import { EndpointQueues } from './endpoint-queues.js';

/** What an operator can do something about, and not which of 10,000 apps it is (rules/webhooks 11). */
export const ENDPOINT_CLASSES = ['healthy', 'failing', 'held'] as const;

export type EndpointClass = (typeof ENDPOINT_CLASSES)[number];

/** The class that an endpoint is in, as this worker knows it. */
@Injectable()
export class EndpointClasses {
  constructor(
    private readonly queues: EndpointQueues,
    private readonly health: EndpointHealth,
  ) {}

  find(endpointId: string): EndpointClass {
    if (this.queues.find(endpointId)?.isHeld === true) return 'held';
    const isSlowed = this.health.limitFor(endpointId) < ENDPOINT_ATTEMPTS_AT_ONCE;
    return isSlowed ? 'failing' : 'healthy';
  }
}
