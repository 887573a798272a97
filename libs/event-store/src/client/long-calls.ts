import { Gauge } from 'prom-client';
import { assertDefect, metrics } from '#platform';

/**
 * A connection carries a hundred calls, and the next waits for ever without a word. Those that stay open
 * leave most of the room to reads (decision 0009).
 */
export const LONG_CALLS_AT_MOST = 30;

const openLongCalls = new Gauge({
  name: 'subledger_event_store_long_calls',
  help: 'Calls to the event store that stay open: subscriptions, and the one for appends.',
  registers: [metrics],
});

/** The calls of one connection that stay open. */
export class LongCalls {
  #open = 0;

  /** @returns the function that ends the call, once. @throws a defect for one too many. */
  begin(): () => void {
    assertDefect(
      this.#open < LONG_CALLS_AT_MOST,
      `more than ${LONG_CALLS_AT_MOST} calls to the event store would stay open`,
    );
    this.#count(1);
    let isOpen = true;
    return () => {
      if (isOpen) this.#count(-1);
      isOpen = false;
    };
  }

  #count(difference: 1 | -1): void {
    this.#open += difference;
    openLongCalls.inc(difference);
  }
}
