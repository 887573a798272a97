/**
 * Lets a bounded number of requests begin per tick of the event loop; the others begin in the next ticks: callers take
 * turns, each with the requests that came first (rules/fairness 3). A request's calls to the event store leave at the
 * end of a tick: if all waiting requests began in one, the store would wait for the last of them, and then all of them
 * for the store.
 */
export class RequestPacing {
  readonly #requestsPerTick: number;
  /** By caller, in the order in which they take turns. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #left: number;
  #isNextPlanned = false;

  constructor(requestsPerTick: number) {
    this.#requestsPerTick = requestsPerTick;
    this.#left = requestsPerTick;
  }

  /** Begins the request now, or in one of the next ticks. @param caller as the request names it. */
  begin(caller: string, request: () => void): void {
    this.#planNext();
    if (this.#left === 0) {
      const own = this.#waiting.get(caller);
      if (own === undefined) this.#waiting.set(caller, [request]);
      else own.push(request);
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
      const [first] = this.#waiting;
      if (first === undefined) return;
      const [caller, own] = first;
      const request = own.shift();
      // Behind all the others: its turn comes again when they had theirs.
      this.#waiting.delete(caller);
      if (own.length > 0) this.#waiting.set(caller, own);
      if (request !== undefined) this.begin(caller, request);
    }
  }
}
