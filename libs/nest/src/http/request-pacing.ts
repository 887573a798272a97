/**
 * Lets a bounded number of requests begin per tick of the event loop; the others begin in the next
 * ticks, in the order in which they came. What a request sends to the event store leaves at the end of
 * a tick: if all waiting requests began in one, the store would wait for the last of them, and then
 * all of them for the store.
 */
export class RequestPacing {
  readonly #requestsPerTick: number;
  readonly #waiting: (() => void)[] = [];
  #left: number;
  #isNextPlanned = false;

  constructor(requestsPerTick: number) {
    this.#requestsPerTick = requestsPerTick;
    this.#left = requestsPerTick;
  }

  /** Begins the request now, or in one of the next ticks. */
  begin(request: () => void): void {
    this.#planNext();
    if (this.#left === 0) {
      this.#waiting.push(request);
      return;
    }
    this.#left -= 1;
    request();
  }

  #planNext(): void {
    if (this.#isNextPlanned) return;
    this.#isNextPlanned = true;
    setImmediate(() => this.#next());
  }

  #next(): void {
    this.#isNextPlanned = false;
    this.#left = this.#requestsPerTick;
    while (this.#left > 0) {
      const request = this.#waiting.shift();
      if (request === undefined) return;
      this.begin(request);
    }
  }
}
