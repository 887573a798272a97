import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type Failing, OPEN_AT_MOST_MS, type Probe, SharedBreakers } from '#endpoint-state';
import { type Clock, type Log, newUuid, warnSeldom, upTo } from '#platform';
import {
  BREAKER_ASKED_AGAIN_MS,
  SUCCESS_REPORTED_EVERY_MS,
  SUCCESSES_KEPT,
  UNHEALTHY_KEPT,
} from '../limits.js';
import { CLOCK, LOG } from '../tokens.js';

/** A breaker that was open when this process last heard of it. Times are of the worker's clock. */
interface OpenBreaker {
  /** When it is to be asked for an attempt. */
  askAtMs: number;
  isAsking: boolean;
  /** Until when one attempt is this partition's to make; undefined where it is not. */
  probeUntilMs: number | undefined;
  /** The delivery that the attempt is made with. */
  probe: string | undefined;
  timer: NodeJS.Timeout | undefined;
}

/**
 * The breakers of endpoints, as one partition knows them (rules/webhooks 6, decision 0123). What is known to be open
 * is asked for in the background: an endpoint that takes what it is sent costs no question to Redis. A partition that
 * has not heard of an open breaker finds out by the one attempt that it makes.
 */
@Injectable()
export class EndpointBreakers {
  readonly #holder = newUuid();
  readonly #open = new LRUCache<string, OpenBreaker>({
    ...upTo(UNHEALTHY_KEPT),
    dispose: ({ timer }) => clearTimeout(timer),
  });
  /** Endpoints of which Redis may know of failures that a success ends. */
  readonly #failed = new LRUCache<string, true>(upTo(UNHEALTHY_KEPT));
  /** Endpoints whose success was said lately, so that failures of other partitions count no more. */
  readonly #succeeded = new Set<string>();
  #succeededSinceMs = 0;
  #onRoom: (endpointId: string) => void = () => undefined;

  constructor(
    private readonly shared: SharedBreakers,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** @param listener is called when attempts at an endpoint may be made that could not before. */
  onRoom(listener: (endpointId: string) => void): void {
    this.#onRoom = listener;
  }

  /** How many attempts may be made at once: none while it is open, one when it has been, else as many as there are. */
  limitFor(endpointId: string): number {
    const open = this.#open.get(endpointId);
    if (open === undefined) return Infinity;
    if (this.#isProbing(open)) return 1;
    this.#askInTime(endpointId, open);
    return 0;
  }

  /** Whether an attempt may begin now that waited for a place meanwhile. */
  admit(endpointId: string, member: string): boolean {
    const open = this.#open.get(endpointId);
    if (open === undefined) return true;
    if (!this.#isProbing(open)) return false;
    open.probe ??= member;
    return open.probe === member;
  }

  /** The attempt that was admitted was not made, or says nothing of the endpoint. */
  giveBack(endpointId: string, member: string): void {
    const open = this.#open.get(endpointId);
    if (open?.probe === member) open.probe = undefined;
  }

  /** For how long no attempt is made. */
  openForMs(endpointId: string): number {
    const open = this.#open.peek(endpointId);
    return open === undefined ? 0 : Math.max(0, open.askAtMs - this.#now());
  }

  /** What it is now; undefined where it is closed, as far as is known here. */
  find(endpointId: string): 'open' | 'half_open' | undefined {
    const open = this.#open.peek(endpointId);
    if (open === undefined) return undefined;
    return this.#now() < open.askAtMs ? 'open' : 'half_open';
  }

  /**
   * @param tookMs of the attempt.
   * @returns what is known of its failures; undefined where Redis could not be asked. Never throws.
   */
  async failed(
    endpointId: string,
    { tookMs, retryAfterMs }: { readonly tookMs: number; readonly retryAfterMs: number },
  ): Promise<Failing | undefined> {
    const nowMs = this.#now();
    this.#failed.set(endpointId, true);
    this.#succeeded.delete(endpointId);
    const known = this.#open.get(endpointId);
    // No other attempt is made while Redis is asked.
    if (known !== undefined) this.#closeFor(known, BREAKER_ASKED_AGAIN_MS);
    try {
      const attempt = { nowMs, begunAtMs: nowMs - tookMs, retryAfterMs };
      const failing = await this.shared.noteFailure(endpointId, attempt);
      if (failing.openUntilMs === 0) this.#open.delete(endpointId);
      else this.#closeFor(this.#require(endpointId), failing.openUntilMs - nowMs);
      return failing;
    } catch (error) {
      warnSeldom(this.log, error, 'a failure of an endpoint could not be counted');
      return undefined;
    }
  }

  /** Says so where failures are known of, and else once an hour: other partitions may have met some. */
  succeeded(endpointId: string): void {
    const hadFailed = this.#failed.delete(endpointId);
    const open = this.#open.get(endpointId);
    if (!hadFailed && open === undefined && this.#saidLately(endpointId)) return;
    this.#succeeded.add(endpointId);
    // No other attempt is made while Redis is asked.
    if (open !== undefined) this.#closeFor(open, BREAKER_ASKED_AGAIN_MS);
    void this.#saySuccess(endpointId, open);
  }

  /** It may be another one than before, or is looked at: it is tried at once. */
  close(endpointId: string): void {
    this.#open.delete(endpointId);
    this.shared.close(endpointId).catch((error: unknown) => {
      warnSeldom(this.log, error, 'the breaker of an endpoint could not be closed');
    });
  }

  /** Never throws. */
  async #saySuccess(endpointId: string, open: OpenBreaker | undefined): Promise<void> {
    try {
      const nowMs = this.#now();
      const openUntilMs = await this.shared.noteSuccess(endpointId, nowMs);
      if (openUntilMs > nowMs) this.#closeFor(this.#require(endpointId), openUntilMs - nowMs);
      else if (open !== undefined) {
        this.#open.delete(endpointId);
        this.#onRoom(endpointId);
      }
    } catch (error) {
      warnSeldom(this.log, error, 'a success of an endpoint could not be noted');
      // The next one says it again.
      this.#failed.set(endpointId, true);
    }
  }

  #saidLately(endpointId: string): boolean {
    const nowMs = performance.now();
    const isOld = nowMs - this.#succeededSinceMs >= SUCCESS_REPORTED_EVERY_MS;
    if (isOld || this.#succeeded.size >= SUCCESSES_KEPT) {
      this.#succeeded.clear();
      this.#succeededSinceMs = nowMs;
    }
    return this.#succeeded.has(endpointId);
  }

  #askInTime(endpointId: string, open: OpenBreaker): void {
    if (open.isAsking) return;
    const waitMs = open.askAtMs - this.#now();
    if (waitMs <= 0) void this.#ask(endpointId, open);
    else if (open.timer === undefined) this.#wakeAfter(endpointId, open, waitMs);
  }

  /** Never throws. */
  async #ask(endpointId: string, open: OpenBreaker): Promise<void> {
    open.isAsking = true;
    try {
      const found = await this.shared.takeProbe(endpointId, this.#holder, this.#now());
      this.#learn(endpointId, open, found);
    } catch (error) {
      warnSeldom(this.log, error, 'an endpoint could not be asked for');
      this.#closeFor(open, BREAKER_ASKED_AGAIN_MS);
    } finally {
      open.isAsking = false;
    }
    this.#onRoom(endpointId);
  }

  #learn(endpointId: string, open: OpenBreaker, found: Probe): void {
    // It may have been forgotten, or have succeeded, meanwhile.
    if (this.#open.peek(endpointId) !== open) return;
    if (found.kind === 'closed') this.#open.delete(endpointId);
    else if (found.kind === 'probe') {
      open.probeUntilMs = found.untilMs;
      open.probe = undefined;
    } else if (found.kind === 'open') this.#closeFor(open, found.untilMs - this.#now());
    // The attempt of the other process may end at any time.
    else this.#closeFor(open, BREAKER_ASKED_AGAIN_MS);
  }

  /** The clocks of two machines may differ: it is asked for again in time, whatever the other one wrote. */
  #closeFor(open: OpenBreaker, forMs: number): void {
    open.probeUntilMs = undefined;
    open.probe = undefined;
    open.askAtMs = this.#now() + Math.min(forMs, 2 * OPEN_AT_MOST_MS);
    clearTimeout(open.timer);
    open.timer = undefined;
  }

  #wakeAfter(endpointId: string, open: OpenBreaker, waitMs: number): void {
    open.timer = setTimeout(() => {
      open.timer = undefined;
      this.#onRoom(endpointId);
    }, waitMs);
    open.timer.unref();
  }

  #require(endpointId: string): OpenBreaker {
    const known = this.#open.get(endpointId);
    if (known !== undefined) return known;
    const open = { askAtMs: 0, isAsking: false, probeUntilMs: undefined };
    const breaker = { ...open, probe: undefined, timer: undefined };
    this.#open.set(endpointId, breaker);
    return breaker;
  }

  #isProbing({ probeUntilMs }: OpenBreaker): boolean {
    return probeUntilMs !== undefined && this.#now() < probeUntilMs;
  }

  #now(): number {
    return Date.parse(this.clock.now());
  }
}
