import { Fault } from '#platform';

/** A bounded number of things at a time; the others wait their turn, first come, first served. */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #free: number;
  readonly #mayWait: number;

  /** @param mayWait how many may wait; one more is refused. */
  constructor(size: number, mayWait: number) {
    this.#free = size;
    this.#mayWait = mayWait;
  }

  /** Takes a slot; undefined when it is had at once. @throws Fault `unavailable` when too many wait. */
  take(): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free -= 1;
      return undefined;
    }
    if (this.#waiting.length >= this.#mayWait) {
      const message = `${this.#waiting.length} calls to the event store are waiting already`;
      throw new Fault('unavailable', message, { retryable: true });
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Gives a slot back, to whoever has waited longest. */
  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
