import { Injectable } from '@nestjs/common';
import type { Failing } from '#endpoint-state';
import type { RunningEndpoint } from '#tenancy';
import { RETRY_AGAIN_MS, RETRY_SPACING_MS } from '../limits.js';
import { EndpointBreakers } from './endpoint-breakers.js';
import { EndpointHealth } from './endpoint-health.js';
import { EndpointPacing } from './endpoint-pacing.js';
import { EndpointPlaces } from './endpoint-places.js';
import type { EndpointQueue } from './endpoint-queue.js';

type PacedEndpoint = Pick<RunningEndpoint, 'endpointId' | 'maxPerSecond'>;

/** How many attempts at an endpoint may be made, by all that is known of it (rules/webhooks 6). */
@Injectable()
export class EndpointGate {
  #onRoom: (endpointId: string) => void = () => undefined;

  constructor(
    private readonly health: EndpointHealth,
    private readonly breakers: EndpointBreakers,
    private readonly pacing: EndpointPacing,
    private readonly places: EndpointPlaces,
  ) {}

  /** @param listener is called when attempts at an endpoint may be made that could not before. */
  onRoom(listener: (endpointId: string) => void): void {
    this.#onRoom = listener;
    this.breakers.onRoom(listener);
    this.pacing.onRoom(listener);
    this.places.onRoom(listener);
  }

  /** Whether one more of its deliveries may wait for a place. */
  hasRoom(queue: EndpointQueue): boolean {
    const { endpointId, offered, ending } = queue;
    const limit = this.health.limitFor(endpointId);
    if (offered >= limit || offered >= this.breakers.limitFor(endpointId)) return false;
    // What is not noted is sent again after a crash: where Redis is slow, attempts wait for it.
    if (ending >= limit) return false;
    return this.pacing.hasRoom(queue) && this.places.hasRoom(queue, limit);
  }

  /** The same for a job of BullMQ: one of them is made beside all first attempts. */
  hasRoomForRetry(queue: EndpointQueue): boolean {
    if (this.breakers.limitFor(queue.endpointId) === 0) return false;
    return queue.retrying === 0 || this.hasRoom(queue);
  }

  /** For how long a job is put off that finds no room: all of an endpoint come back spread, when its breaker may close. */
  waitMs({ endpointId, size }: EndpointQueue): number {
    const spreadMs = Math.random() * size * RETRY_SPACING_MS;
    return this.breakers.openForMs(endpointId) + RETRY_AGAIN_MS + spreadMs;
  }

  /**
   * Whether an attempt may begin now; `leave` ends it. Where the endpoint has no bound of attempts a second, it is
   * known at once.
   *
   * @throws Fault of Redis.
   */
  admit({ endpointId, maxPerSecond }: PacedEndpoint, member: string): boolean | Promise<boolean> {
    if (!this.breakers.admit(endpointId, member)) return false;
    return maxPerSecond === null || this.pacing.admit(endpointId, maxPerSecond, member);
  }

  /** @param saysNothing of the endpoint: the attempt was not made, or not by a fault of the receiver's. */
  leave(endpointId: string, member: string, saysNothing: boolean): void {
    this.pacing.leave(endpointId, member);
    if (saysNothing) this.breakers.giveBack(endpointId, member);
  }

  succeeded(endpointId: string): void {
    this.health.succeeded(endpointId);
    this.breakers.succeeded(endpointId);
  }

  /**
   * @param tookMs of the attempt; undefined where nothing was sent, for a reason that is not the receiver's.
   * @returns what is known of its failures. Never throws.
   */
  async failed(
    endpointId: string,
    {
      tookMs,
      retryAfterMs,
    }: { readonly tookMs: number | undefined; readonly retryAfterMs: number },
  ): Promise<Failing | undefined> {
    this.health.failed(endpointId);
    if (tookMs === undefined) return undefined;
    return this.breakers.failed(endpointId, { tookMs, retryAfterMs });
  }

  /** What it missed goes out slowly at first. */
  enabled(endpointId: string): void {
    this.health.failed(endpointId);
  }

  /** Its breaker is closed, and its bound counts no more: it may be at another address. It is tried at once. */
  changed(endpointId: string): void {
    this.breakers.close(endpointId);
    this.pacing.forget(endpointId);
    this.#onRoom(endpointId);
  }

  /** Its breaker; undefined where that is closed. */
  findBreaker(endpointId: string): 'open' | 'half_open' | undefined {
    return this.breakers.find(endpointId);
  }
}
