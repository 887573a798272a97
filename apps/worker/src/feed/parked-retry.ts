import { Inject, Injectable } from '@nestjs/common';
import type { Position } from '#domain/event';
import type { Log } from '#platform';
import type { ParkedEntry } from '#worker-state';
import { PARKED_RETRIED_AT_ONCE, SLOW_TICK_MS } from '../limits.js';
import { LOG } from '../tokens.js';
import { EventDispatcher } from './event-dispatcher.js';
import { EventReader } from './event-reader.js';
import { InFlightWork } from './in-flight-work.js';
import { ParkingGate } from './parking-gate.js';

/**
 * Tries parked streams again: when the feed begins or goes on, since this release may know events that another one had
 * to park; on a timer, since missing data may be there now; and when an operator asks.
 */
@Injectable()
export class ParkedRetry {
  /** Streams to be tried, those that wait longest first. */
  #waiting: string[] = [];
  #nextAtMs = 0;

  constructor(
    private readonly gate: ParkingGate,
    private readonly events: EventReader,
    private readonly inFlight: InFlightWork,
    private readonly dispatcher: EventDispatcher,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Takes all that is parked now for due. */
  askForAll(): void {
    this.#waiting = this.gate.entries.map(({ streamName }) => streamName);
    this.#nextAtMs = Date.now() + SLOW_TICK_MS;
  }

  /** Whether there is something to try. The timer asks, too. */
  isDue(nowMs: number): boolean {
    if (nowMs >= this.#nextAtMs) this.askForAll();
    return this.#waiting.length > 0;
  }

  /**
   * Tries the next streams. No events may be worked on meanwhile: those that come would be held back, and
   * would not be read here any more.
   *
   * @param upTo events up to here were held back; later events come by themselves. Never throws.
   */
  async retrySome(upTo: Position): Promise<void> {
    const names = new Set(this.#waiting.splice(0, PARKED_RETRIED_AT_ONCE));
    for (const entry of this.gate.entries.filter(({ streamName }) => names.has(streamName))) {
      const { streamName, revision } = entry;
      try {
        await this.gate.retry(streamName, () => this.#work(entry, upTo));
      } catch (error) {
        this.log.warn({ err: error, streamName, revision }, 'a parked stream stays parked');
      }
    }
  }

  /** Work in flight comes first: it is older. */
  async #work({ streamName, revision, begunUpTo }: ParkedEntry, upTo: Position): Promise<void> {
    await this.inFlight.redoStream(streamName, begunUpTo);
    if (this.gate.isHeld({ streamName, revision })) return;
    const { events, unreadable } = await this.events.readStream(streamName, revision, upTo);
    await this.dispatcher.dispatch(events.filter(({ position }) => position > begunUpTo));
    for (const error of unreadable) await this.gate.poison(error.item, error, begunUpTo);
  }
}
