import { Inject, Injectable } from '@nestjs/common';
import { EndpointLimiter } from './endpoint-limiter.js';
import { EndpointQueues } from './endpoint-queues.js';

/** What an operator can do something about, and not which of 10,000 apps it is (rules/webhooks 11). */
export const ENDPOINT_CLASSES = ['healthy', 'failing', 'held'] as const;

export type EndpointClass = (typeof ENDPOINT_CLASSES)[number];

/** The class that an endpoint is in, as this worker knows it. */
@Injectable()
export class EndpointClasses {
  constructor(
    private readonly queues: EndpointQueues,
    @Inject(EndpointLimiter) private readonly limiter: Pick<EndpointLimiter, 'isFailing'>,
  ) {}

  find(endpointId: string): EndpointClass {
    if (this.queues.find(endpointId)?.isHeld === true) return 'held';
    return this.limiter.isFailing(endpointId) ? 'failing' : 'healthy';
  }
}
