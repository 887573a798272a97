import { Counter, Histogram, type MetricType } from 'prom-client';
import { showMetrics } from '#platform';
import { BUCKETS_SECONDS, RequestTallies, type RequestTally } from './request-tally.js';

const DURATION = 'subledger_http_request_duration_seconds';
const HELP = 'From the head of a request to the last byte of its answer, by method and route.';

/**
 * Requests are counted in plain numbers, which become metrics when those are read: 0.07 microseconds a
 * request, where the metrics of prom-client take 1.1, most of it for putting labels together. A read
 * takes 60 in all.
 */
const tallies = new RequestTallies();

/** A line of a histogram, as prom-client prints it. */
type HistogramValues = Awaited<ReturnType<Histogram<'method' | 'route' | 'le'>['get']>>;

const SHAPE = {
  name: DURATION,
  help: HELP,
  // Declared as a number, and printed as what it is: a text.
  type: 'histogram' as unknown as MetricType,
  aggregator: 'sum',
  collect: () => undefined,
} as const;

class TalliedHistogram extends Histogram<'method' | 'route' | 'le'> {
  override async get(): Promise<HistogramValues> {
    const values = tallies.list().flatMap((tally) => this.#print(tally));
    return { ...SHAPE, values };
  }

  /** prom-client prints what this returns where a metric has it, in place of what `get` returns. */
  getForPromString(): Promise<HistogramValues> {
    return this.get();
  }

  /** Buckets count what is in those before them as well. */
  #print({ method, route, buckets, totalMs, count }: RequestTally): HistogramValues['values'] {
    let sum = 0;
    const values: HistogramValues['values'] = buckets.map((requests, at) => {
      sum += requests;
      const labels = { method, route, le: BUCKETS_SECONDS[at] ?? '+Inf' };
      return { metricName: `${DURATION}_bucket`, labels, value: sum };
    });
    const labels = { method, route };
    values.push({ metricName: `${DURATION}_sum`, labels, value: totalMs / 1000 });
    values.push({ metricName: `${DURATION}_count`, labels, value: count });
    return values;
  }
}

const durations = new TalliedHistogram({ name: DURATION, help: HELP, registers: [] });

const requests = new Counter({
  name: 'subledger_http_requests_total',
  help: 'Requests by method, route (the pattern; "unknown" for all others) and status; 499 where the client went away before its answer.',
  labelNames: ['method', 'route', 'status'] as const,
  registers: [],
  collect() {
    this.reset();
    for (const { method, route, byStatus } of tallies.list()) {
      for (const [status, count] of byStatus) this.inc({ method, route, status }, count);
    }
  },
});

/** Shows the requests that this program answers, and how long they took. */
export function showRequestMetrics(): void {
  showMetrics([requests, durations]);
}

/** @param route as a pattern; undefined where no route takes the request. */
export function countRequest(
  method: string,
  route: string | undefined,
  status: number,
  tookMs: number,
): void {
  tallies.find(method, route).add(status, tookMs);
}

/** A client went away before its answer was sent (rules/running 10). */
export function countGoneClient(method: string, route: string | undefined): void {
  tallies.find(method, route).addGone();
}
