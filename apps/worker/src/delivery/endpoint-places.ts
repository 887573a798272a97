import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { PLACES_LENT_MS, SharedPlaces } from '#endpoint-state';
import { type Log, newUuid, warnSeldom } from '#platform';
import { PLACES_LENT_AT_ONCE, PLACES_RENEWED_EVERY_MS } from '../limits.js';
import { LOG } from '../tokens.js';
import type { EndpointQueue } from './endpoint-queue.js';
import { EndpointQueues } from './endpoint-queues.js';

/** Places that are lent to this partition, beside the one that it has. */
interface Lent {
  places: number;
  /** By the monotonic clock. */
  lastsUntilMs: number;
  /** How many were asked for the last time. */
  wanted: number;
  isAsking: boolean;
}

/**
 * The places for attempts at each endpoint that the partition has (decision 0125). One is its own, and needs no
 * question to Redis; more are asked for in the background, several at once, and kept while they are used. Where
 * Redis does not answer, there is the one.
 */
@Injectable()
export class EndpointPlaces implements OnModuleDestroy {
  readonly #holder = newUuid();
  readonly #lent = new Map<string, Lent>();
  #renewal: NodeJS.Timeout | undefined;
  #onRoom: (endpointId: string) => void = () => undefined;

  constructor(
    private readonly shared: SharedPlaces,
    private readonly queues: EndpointQueues,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** @param listener is called when attempts at an endpoint may be made that could not before. */
  onRoom(listener: (endpointId: string) => void): void {
    this.#onRoom = listener;
  }

  /** What is lent lapses soon. */
  onModuleDestroy(): void {
    clearTimeout(this.#renewal);
  }

  /** @param limit how many attempts there may be at once by all else that is known. */
  hasRoom(queue: EndpointQueue, limit: number): boolean {
    const { endpointId, offered } = queue;
    if (offered === 0) return true;
    const lent = this.#lent.get(endpointId);
    if (lent !== undefined && performance.now() < lent.lastsUntilMs && offered <= lent.places) {
      return true;
    }
    const wanted = countWanted(queue, limit);
    // What was asked for in vain is asked for again with the next renewal.
    if (lent === undefined || (!lent.isAsking && wanted > lent.wanted)) {
      if (wanted > 0) void this.#ask(endpointId, wanted);
    }
    return false;
  }

  /** Never throws. */
  async #ask(endpointId: string, wanted: number): Promise<void> {
    const lent = this.#require(endpointId);
    lent.wanted = wanted;
    lent.isAsking = true;
    // From before the question: what Redis lends may be free there sooner, and never later.
    const lastsUntilMs = performance.now() + PLACES_LENT_MS;
    try {
      const places = await this.shared.take(endpointId, this.#holder, wanted);
      const isMore = places > lent.places || performance.now() >= lent.lastsUntilMs;
      Object.assign(lent, { places, lastsUntilMs });
      if (isMore && places > 0) this.#onRoom(endpointId);
    } catch (error) {
      warnSeldom(this.log, error, 'places for attempts at an endpoint could not be asked for');
    } finally {
      lent.isAsking = false;
    }
  }

  #require(endpointId: string): Lent {
    const known = this.#lent.get(endpointId);
    if (known !== undefined) return known;
    const lent = { places: 0, lastsUntilMs: 0, wanted: 0, isAsking: false };
    this.#lent.set(endpointId, lent);
    this.#renewal ??= setTimeout(() => this.#renewAll(), PLACES_RENEWED_EVERY_MS).unref();
    return lent;
  }

  /** Those that are used are kept, and all others given back. */
  #renewAll(): void {
    this.#renewal = undefined;
    for (const [endpointId, lent] of this.#lent) {
      if (lent.isAsking) continue;
      const queue = this.queues.find(endpointId);
      const wanted = queue === undefined ? 0 : countWanted(queue, lent.wanted + 1);
      if (wanted > 0) {
        void this.#ask(endpointId, wanted);
        continue;
      }
      this.#lent.delete(endpointId);
      this.shared.take(endpointId, this.#holder, 0).catch((error: unknown) => {
        warnSeldom(this.log, error, 'places for attempts at an endpoint are given back by time');
      });
    }
    if (this.#lent.size > 0) {
      this.#renewal = setTimeout(() => this.#renewAll(), PLACES_RENEWED_EVERY_MS).unref();
    }
  }
}

/** Beside the partition's own place: in steps, so that a queue that grows asks seldom. */
function countWanted({ offered, ready }: EndpointQueue, limit: number): number {
  const used = Math.max(offered, Math.min(limit, offered + ready)) - 1;
  if (used <= 0) return 0;
  const steps = Math.ceil(used / PLACES_LENT_AT_ONCE);
  return Math.min(steps * PLACES_LENT_AT_ONCE, Math.max(limit - 1, offered - 1));
}
