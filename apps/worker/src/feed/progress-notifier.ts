import { idOf, type Position, type RecordedEvent } from '#domain/event';
import { Renewals } from '../billing-clock/pending-renewals.js';

type Listener = (position: Position) => void;

/**
 * Tells who waits in this process that a charge is settled, or that events up to a position are worked
 * off. The reactor of every worker sees every event, so nobody has to ask the store over and over.
 */
export class Notices {
  /** The renewals that wait for the gateway, as the events that went by tell. */
  readonly renewals = new Renewals();
  readonly #settled = new Map<string, Set<Listener>>();
  readonly #reached = new Set<{ readonly position: Position; readonly listener: Listener }>();
  #position: Position = '';

  /** Called by the reactor when a batch is worked off, and, without events, when it resumes. */
  workedOff(events: readonly RecordedEvent[], upTo: Position): void {
    for (const event of events) {
      const paymentId = this.renewals.note(event) ?? leftPending(event);
      if (paymentId === undefined) continue;
      for (const listener of this.#settled.get(paymentId) ?? []) listener(event.position);
    }
    this.#position = upTo;
    for (const waiting of this.#reached) {
      if (waiting.position <= upTo) waiting.listener(upTo);
    }
  }

  /**
   * Resolves with the position of the event that settles the charge, or that tells that the gateway
   * takes its time over it; with undefined after the limit.
   */
  async settled(paymentId: string, limitMs: number): Promise<Position | undefined> {
    const listeners = this.#settled.get(paymentId) ?? new Set();
    this.#settled.set(paymentId, listeners);
    return heard(limitMs, (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) this.#settled.delete(paymentId);
      };
    });
  }

  /** Resolves with whether everything up to a position was worked off within the limit. */
  async reached(position: Position, limitMs: number): Promise<boolean> {
    if (this.#position >= position) return true;
    const at = await heard(limitMs, (listener) => {
      const waiting = { position, listener };
      this.#reached.add(waiting);
      return () => this.#reached.delete(waiting);
    });
    return at !== undefined;
  }
}

/** The payment that stays pending at the gateway, if this event tells so. */
function leftPending({ type, streamName }: RecordedEvent): string | undefined {
  return type === 'payment.pending.v1' ? idOf(streamName) : undefined;
}

async function heard(
  limitMs: number,
  listen: (listener: Listener) => () => unknown,
): Promise<Position | undefined> {
  let stop: () => unknown = () => undefined;
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve) => {
      timer = setTimeout(() => resolve(undefined), limitMs);
      stop = listen(resolve);
    });
  } finally {
    clearTimeout(timer);
    stop();
  }
}
