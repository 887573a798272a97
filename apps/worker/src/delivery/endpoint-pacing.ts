import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { SharedTokens } from '#endpoint-state';
import { upTo } from '#platform';
import { PACED_AT_ONCE_SHARE, PACED_AT_LEAST_MS, UNHEALTHY_KEPT } from '../limits.js';
import type { EndpointQueue } from './endpoint-queue.js';

/** An endpoint with a bound, of which attempts were made lately. */
interface Paced {
  perSecond: number;
  /** Deliveries that have their token and have not ended. */
  readonly admitted: Set<string>;
  /** While there is no token. */
  timer: NodeJS.Timeout | undefined;
}

/**
 * Paces the attempts at endpoints whose merchants have set how many may begin in a second (rules/webhooks 6). Each
 * takes a token in Redis as it begins; one without a bound costs nothing.
 */
@Injectable()
export class EndpointPacing {
  readonly #paced = new LRUCache<string, Paced>({
    ...upTo(UNHEALTHY_KEPT),
    dispose: ({ timer }) => clearTimeout(timer),
  });
  #onRoom: (endpointId: string) => void = () => undefined;

  constructor(private readonly tokens: SharedTokens) {}

  /** @param listener is called when attempts at an endpoint may be made that could not before. */
  onRoom(listener: (endpointId: string) => void): void {
    this.#onRoom = listener;
  }

  /** Whether one more of its deliveries may wait for a place: few that have no token yet, and none while none is there. */
  hasRoom({ endpointId, offered }: EndpointQueue): boolean {
    const paced = this.#paced.get(endpointId);
    if (paced === undefined) return true;
    if (paced.timer !== undefined) return false;
    const atOnce = Math.max(1, Math.ceil(paced.perSecond * PACED_AT_ONCE_SHARE));
    return offered - paced.admitted.size < atOnce;
  }

  /**
   * Takes a token for a delivery, which `leave` ends.
   *
   * @returns whether it may begin; else `onRoom` says when. @throws Fault of Redis.
   */
  async admit(endpointId: string, perSecond: number, member: string): Promise<boolean> {
    const paced = this.#require(endpointId, perSecond);
    // What was offered before the last token was taken.
    if (paced.timer !== undefined) return false;
    const waitMs = await this.tokens.take(endpointId, perSecond);
    if (waitMs === 0) {
      paced.admitted.add(member);
      // Another one may ask for the next token.
      this.#onRoom(endpointId);
      return true;
    }
    paced.timer ??= setTimeout(
      () => {
        paced.timer = undefined;
        this.#onRoom(endpointId);
      },
      Math.max(waitMs, PACED_AT_LEAST_MS),
    ).unref();
    return false;
  }

  /** Its attempt has ended. */
  leave(endpointId: string, member: string): void {
    this.#paced.peek(endpointId)?.admitted.delete(member);
  }

  /** It may have another bound than before, or none. */
  forget(endpointId: string): void {
    this.#paced.delete(endpointId);
  }

  #require(endpointId: string, perSecond: number): Paced {
    const known = this.#paced.get(endpointId);
    if (known !== undefined) {
      known.perSecond = perSecond;
      return known;
    }
    const paced = { perSecond, admitted: new Set<string>(), timer: undefined };
    this.#paced.set(endpointId, paced);
    return paced;
  }
}
