/** The upper bounds of the buckets in seconds: a read takes one or two milliseconds, a charge seconds. */
export const BUCKETS_SECONDS: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];
const BUCKETS_MS = BUCKETS_SECONDS.map((seconds) => seconds * 1000);

/** The requests of one method and route. */
export class RequestTally {
  readonly byStatus = new Map<number, number>();
  /** The requests of each bucket alone; what took longer than the last bucket stands behind it. */
  readonly buckets = new Array<number>(BUCKETS_MS.length + 1).fill(0);
  totalMs = 0;
  count = 0;

  constructor(
    readonly method: string,
    readonly route: string,
  ) {}

  /** It has no answer, and so no duration. */
  addGone(): void {
    this.#addStatus(CLIENT_GONE);
  }

  add(status: number, tookMs: number): void {
    this.#addStatus(status);
    let bucket = 0;
    while (tookMs > (BUCKETS_MS[bucket] ?? Infinity)) bucket += 1;
    this.buckets[bucket] = (this.buckets[bucket] ?? 0) + 1;
    this.totalMs += tookMs;
    this.count += 1;
  }

  #addStatus(status: number): void {
    this.byStatus.set(status, (this.byStatus.get(status) ?? 0) + 1);
  }
}

/** Of proxies: the client closed its request. */
const CLIENT_GONE = 499;

/** What no route takes: its paths are without number, and so are the methods that clients make up. */
export const UNKNOWN_ROUTE = 'unknown';
const OTHER_METHOD = 'other';
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The requests of a program, by method and route. */
export class RequestTallies {
  readonly #byRoute = new Map<string, Map<string, RequestTally>>();

  /** @param route as a pattern, `/sdk/plans/:id`; undefined where no route takes the request. */
  find(method: string, route: string | undefined): RequestTally {
    const known = route === undefined ? undefined : this.#byRoute.get(route)?.get(method);
    return known ?? this.#open(METHODS.has(method) ? method : OTHER_METHOD, route ?? UNKNOWN_ROUTE);
  }

  list(): RequestTally[] {
    return [...this.#byRoute.values()].flatMap((byMethod) => [...byMethod.values()]);
  }

  #open(method: string, route: string): RequestTally {
    const byMethod = this.#byRoute.get(route) ?? new Map<string, RequestTally>();
    this.#byRoute.set(route, byMethod);
    const tally = byMethod.get(method) ?? new RequestTally(method, route);
    byMethod.set(method, tally);
    return tally;
  }
}
