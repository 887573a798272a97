import { connectForReading } from '#projection-engine';
import type { Redis } from '#redis';
import { type EndpointState, readEndpointState } from './read-endpoint-state.js';

/** Connects to what is shared about endpoints; it does not wait for Redis, calls do, within their limit. */
export function openEndpointStates(redisUrl: string, layoutId: string): EndpointStates {
  return new EndpointStates(connectForReading(redisUrl), layoutId);
}

/** The endpoints of a ledger as all processes know them, for those who look (rules/webhooks 6). */
export class EndpointStates {
  constructor(
    private readonly redis: Redis,
    private readonly layoutId: string,
  ) {}

  /** @param nowMs by the wall clock. @throws Fault of Redis. */
  read(endpointId: string, nowMs: number): Promise<EndpointState> {
    return readEndpointState(this.redis, this.layoutId, endpointId, nowMs);
  }

  close(): void {
    this.redis.disconnect();
  }
}
