import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Position } from '#domain/event';
import type { EventBatch } from '#event-store';
import { type Log, sleepUntilTick, upTo, warnSeldom } from '#platform';
import type { AppDirectory, RunningEndpoint } from '#tenancy';
import { SENT_CATEGORIES } from '#webhooks';
import { PastEvents, type Take } from '../../feed/past-events.js';
import {
  BACKLOG_HELD_UP_FOR_MS,
  BACKLOG_PASS_MS,
  BACKLOG_POLL_EVERY_MS,
  ENDPOINTS_KEPT,
} from '../../limits.js';
import { CursorSet } from '../../redis/cursor-set.js';
import { APPS, LOG } from '../../tokens.js';
import { ENDPOINT_CATEGORY } from '../queue/queued-delivery.js';
import { InFlightLimit } from './in-flight-limit.js';
import { BacklogIntake, type BacklogPass } from './backlog-intake.js';

/** The streams that are read again. */
const CATEGORIES = [...SENT_CATEGORIES, ENDPOINT_CATEGORY];

/**
 * Reads the store again for backlogged endpoints, as soon as they have room (rules/webhooks 8): for a moment
 * from the lowest of their cursors, for all of them together, and for a moment from that of another one each time, so
 * that none waits while days are read that others missed. One that has no room is not read for.
 */
@Injectable()
export class BacklogReader {
  #passes = 0;
  /** Endpoints whose next message cannot be made: until when they are not read for, by the monotonic clock. */
  readonly #heldUpUntilMs = new LRUCache<string, number>(upTo(ENDPOINTS_KEPT));

  constructor(
    @Inject(APPS) private readonly apps: Pick<AppDirectory, 'findEndpoint'>,
    @Inject(CursorSet) private readonly cursors: Pick<CursorSet, 'all' | 'loads' | 'move'>,
    @Inject(InFlightLimit) private readonly inFlight: Pick<InFlightLimit, 'hasRoom'>,
    @Inject(BacklogIntake) private readonly intake: Pick<BacklogIntake, 'take' | 'end' | 'until'>,
    @Inject(PastEvents) private readonly past: Pick<PastEvents, 'read'>,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Runs until the signal is aborted; never throws. */
  async run(signal: AbortSignal): Promise<void> {
    while (await sleepUntilTick(BACKLOG_POLL_EVERY_MS, signal)) {
      await this.catchUp(signal).catch((error: unknown) => {
        if (!signal.aborted) warnSeldom(this.log, error, 'backlogged endpoints wait');
      });
    }
  }

  /** Reads on for a moment, for those that have room and are not behind where it begins. @throws Fault; Fenced. */
  async catchUp(signal: AbortSignal): Promise<void> {
    const { loads } = this.cursors;
    const endpoints = await this.#findWithRoom();
    const after = this.#chooseStart(endpoints);
    if (after === undefined) return;
    const pass: BacklogPass = { endpoints, loads, unmoved: new Map() };
    const { until } = this.intake;
    const endsAtMs = performance.now() + BACKLOG_PASS_MS;
    const isLast = (upTo: Position) =>
      endpoints.size === 0 || upTo >= until || performance.now() >= endsAtMs;
    const take: Take = async (batch = { events: [], upTo: until }) => {
      const isStillSo = await this.#take(pass, batch);
      return !signal.aborted && isStillSo && !isLast(batch.upTo);
    };
    await this.past.read({ after, categories: CATEGORIES, signal }, take);
    await this.intake.end(pass);
  }

  async #take(pass: BacklogPass, batch: EventBatch): Promise<boolean> {
    const heldUp = await this.intake.take(pass, batch);
    const untilMs = performance.now() + BACKLOG_HELD_UP_FOR_MS;
    for (const endpointId of heldUp ?? []) this.#heldUpUntilMs.set(endpointId, untilMs);
    return heldUp !== undefined;
  }

  /** Takes those out that are behind: their next messages are not read in this pass. */
  #chooseStart(endpoints: BacklogPass['endpoints']): Position | undefined {
    const places = [...endpoints.keys()].flatMap((id) => this.cursors.all.get(id) ?? []);
    const [lowest] = [...places].sort();
    this.#passes += 1;
    const isOfOne = this.#passes % 2 === 0;
    const after = isOfOne ? places[(this.#passes / 2) % places.length] : lowest;
    for (const id of [...endpoints.keys()]) {
      if ((this.cursors.all.get(id) ?? '') < (after ?? '')) endpoints.delete(id);
    }
    return after;
  }

  /** Endpoints that are gone are backlogged no more. */
  async #findWithRoom(): Promise<Map<string, RunningEndpoint>> {
    const found = new Map<string, RunningEndpoint>();
    for (const endpointId of this.cursors.all.keys()) {
      const isHeldUp = performance.now() < (this.#heldUpUntilMs.get(endpointId) ?? 0);
      if (isHeldUp || !this.inFlight.hasRoom(endpointId)) continue;
      const endpoint = await this.apps.findEndpoint(endpointId);
      if (endpoint !== undefined) found.set(endpointId, endpoint);
      else await this.cursors.move(new Map([[endpointId, null]]));
    }
    return found;
  }
}
