import { idOf, type Position, type RecordedFact } from '#domain/fact';
import { Renewals } from './renewals.js';

type Listener = (position: Position) => void;

/**
 * Tells who waits in this process that a charge is settled, or that facts up to a position are worked
 * off. The reactor of every worker sees every fact, so nobody has to ask the store over and over.
 */
export class Notices {
  /** The renewals that wait for the gateway, as the facts that went by tell. */
  readonly renewals = new Renewals();
  readonly #settled = new Map<string, Set<Listener>>();
  readonly #reached = new Set<{ readonly position: Position; readonly listener: Listener }>();
  #position: Position = '';

  /** Called by the reactor when a batch is worked off, and, without facts, when it resumes. */
  workedOff(facts: readonly RecordedFact[], upTo: Position): void {
    for (const fact of facts) {
      const paymentId = this.renewals.note(fact) ?? leftPending(fact);
      if (paymentId === undefined) continue;
      for (const listener of this.#settled.get(paymentId) ?? []) listener(fact.position);
    }
    this.#position = upTo;
    for (const waiting of this.#reached) {
      if (waiting.position <= upTo) waiting.listener(upTo);
    }
  }

  /**
   * Resolves with the position of the fact that settles the charge, or that tells that the gateway
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

/** The payment that stays pending at the gateway, if this fact tells so. */
function leftPending({ type, streamName }: RecordedFact): string | undefined {
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
