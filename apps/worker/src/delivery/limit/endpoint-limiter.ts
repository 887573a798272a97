import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Partitions } from '#event-store';
import { Breaker, upTo } from '#platform';
import type { RunningEndpoint } from '#tenancy';
import { SharedTokens } from '#worker-state';
import {
  ENDPOINTS_KEPT,
  ENDPOINT_ATTEMPTS_AT_LEAST,
  ENDPOINT_ATTEMPTS_AT_ONCE,
  FAILURES_THAT_OPEN,
  OPEN_AT_FIRST_MS,
  OPEN_AT_MOST_MS,
  PAUSED_AT_LEAST_MS,
  RETRY_SOON_MS,
  RETRY_SPACING_MS,
} from '../../limits.js';
import { PARTITIONS } from '../../tokens.js';

const BREAKER = {
  failures: FAILURES_THAT_OPEN,
  openAtFirstMs: OPEN_AT_FIRST_MS,
  openAtMostMs: OPEN_AT_MOST_MS,
};

/** The deliveries of an endpoint that are in flight, as far as they count here. */
export interface EndpointLoad {
  readonly endpointId: string;
  /** How many wait for an attempt, or are under way. */
  readonly offered: number;
  /** How many of these are retries. */
  readonly retrying: number;
  /** How many there are in all. */
  readonly size: number;
}

/** An endpoint that failed lately, or has no token. Times are those of the wall clock. */
interface Known {
  readonly breaker: Breaker;
  pausedUntilMs: number;
  /** Whether its last attempt failed. */
  isFailing: boolean;
  timer: NodeJS.Timeout | undefined;
}

/**
 * How many attempts at an endpoint may be under way in this partition (rules/webhooks 6): a fixed number, none while
 * its breaker is open or it is paused, and one while the breaker is half open. Nothing is known here of an endpoint
 * that takes its messages.
 */
@Injectable()
export class EndpointLimiter {
  readonly #atOnce: number;
  readonly #known = new LRUCache<string, Known>({
    ...upTo(ENDPOINTS_KEPT),
    dispose: ({ timer }) => clearTimeout(timer),
  });
  #onRoom: (endpointId: string) => void = () => undefined;

  constructor(
    private readonly tokens: SharedTokens,
    @Inject(PARTITIONS) { count }: Pick<Partitions, 'count'>,
  ) {
    const share = Math.floor(ENDPOINT_ATTEMPTS_AT_ONCE / count);
    this.#atOnce = Math.max(ENDPOINT_ATTEMPTS_AT_LEAST, share);
  }

  /** @param listener is called when attempts at an endpoint may be made that could not before. */
  onRoom(listener: (endpointId: string) => void): void {
    this.#onRoom = listener;
  }

  /** Whether one more first attempt may begin. The last slot is for retries: else they would never find one. */
  hasRoom(queue: EndpointLoad): boolean {
    return queue.offered - queue.retrying < this.#atOnce - 1 && this.#mayTry(queue);
  }

  hasRoomForRetry(queue: EndpointLoad): boolean {
    return queue.offered < this.#atOnce && this.#mayTry(queue);
  }

  /** For how long a retry is put off that finds no room: all of an endpoint come back spread, when it may be tried. */
  waitMs({ endpointId, size }: EndpointLoad): number {
    const closedMs = this.#closedUntilMs(this.#known.peek(endpointId)) - Date.now();
    const spreadMs = Math.random() * size * RETRY_SPACING_MS;
    return Math.max(0, closedMs) + RETRY_SOON_MS + spreadMs;
  }

  /**
   * Whether an attempt may begin that waited for a slot meanwhile. It takes a token where its merchant has set how many
   * may begin in a second; else it is known at once. @throws Fault of Redis.
   */
  admit({
    endpointId,
    maxPerSecond,
  }: Pick<RunningEndpoint, 'endpointId' | 'maxPerSecond'>): boolean | Promise<boolean> {
    if (Date.now() < this.#closedUntilMs(this.#known.peek(endpointId))) return false;
    return maxPerSecond === null || this.#takeToken(endpointId, maxPerSecond);
  }

  async succeeded(endpointId: string): Promise<void> {
    const known = this.#known.get(endpointId);
    if (known === undefined) return;
    known.isFailing = false;
    await known.breaker.note(true);
    if (known.breaker.state === 'closed' && known.pausedUntilMs <= Date.now()) {
      this.#known.delete(endpointId);
    }
  }

  /** @param retryAfterMs the receiver's own wait. @returns until when no attempt is made; 0 where one may be. */
  async failed(endpointId: string, retryAfterMs: number): Promise<number> {
    const known = this.#require(endpointId);
    known.isFailing = true;
    await known.breaker.note(false);
    const askedMs = Math.min(retryAfterMs, OPEN_AT_MOST_MS);
    if (askedMs > 0) known.pausedUntilMs = Date.now() + askedMs;
    return this.#closedUntilMs(known);
  }

  /** It is enabled: one attempt goes first, and shows whether it takes the missed messages. */
  enabled(endpointId: string): void {
    this.#known.set(endpointId, create(Breaker.halfOpen(BREAKER)));
  }

  /** It may be at another address, or have another bound: it is tried at once, and a failure opens its breaker again. */
  changed(endpointId: string): void {
    const known = this.#known.get(endpointId);
    if (known === undefined) return;
    const isClosed = known.breaker.state === 'closed';
    const changed = create(isClosed ? known.breaker : Breaker.halfOpen(BREAKER));
    this.#known.set(endpointId, { ...changed, isFailing: known.isFailing });
    this.#onRoom(endpointId);
  }

  /** Its breaker; undefined where that is closed. */
  findBreaker(endpointId: string): 'open' | 'half_open' | undefined {
    const state = this.#known.peek(endpointId)?.breaker.state;
    return state === 'closed' ? undefined : state;
  }

  isFailing(endpointId: string): boolean {
    return this.#known.peek(endpointId)?.isFailing === true;
  }

  #mayTry({ endpointId, offered }: EndpointLoad): boolean {
    const known = this.#known.get(endpointId);
    if (known === undefined) return true;
    const waitMs = this.#closedUntilMs(known) - Date.now();
    if (waitMs > 0) {
      this.#wakeAfter(endpointId, known, waitMs);
      return false;
    }
    return known.breaker.state === 'closed' || offered === 0;
  }

  async #takeToken(endpointId: string, perSecond: number): Promise<boolean> {
    const waitMs = await this.tokens.take(endpointId, perSecond);
    if (waitMs === 0) return true;
    const untilMs = Date.now() + Math.max(waitMs, PAUSED_AT_LEAST_MS);
    this.#require(endpointId).pausedUntilMs = untilMs;
    return false;
  }

  #closedUntilMs(known: Known | undefined): number {
    return known === undefined ? 0 : Math.max(known.breaker.openUntilMs, known.pausedUntilMs);
  }

  /** First attempts wait in memory, and have no other clock. */
  #wakeAfter(endpointId: string, known: Known, waitMs: number): void {
    known.timer ??= setTimeout(() => {
      known.timer = undefined;
      this.#onRoom(endpointId);
    }, waitMs).unref();
  }

  #require(endpointId: string): Known {
    const known = this.#known.get(endpointId) ?? create(new Breaker(BREAKER));
    this.#known.set(endpointId, known);
    return known;
  }
}

function create(breaker: Breaker): Known {
  return { breaker, pausedUntilMs: 0, isFailing: false, timer: undefined };
}
