/**
 * Lets a bounded number of requests begin in one turn of the event loop; the others begin in the next
 * turns, in the order in which they came (decision 0058). What a request sends to the event store
 * leaves at the end of a turn: were all that wait begun in one, the store would wait for the last
 * of them, and then all of them for the store.
 */
export class Turns {
  readonly #atOnce: number;
  readonly #waiting: (() => void)[] = [];
  #left: number;
  #isNextPlanned = false;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
    this.#left = atOnce;
  }

  /** Begins now, or in one of the next turns. */
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
    this.#left = this.#atOnce;
    while (this.#left > 0) {
      const request = this.#waiting.shift();
      if (request === undefined) return;
      this.begin(request);
    }
  }
}
