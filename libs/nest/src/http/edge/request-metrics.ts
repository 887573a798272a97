import { Counter, Histogram } from 'prom-client';
import { showMetrics } from '#platform';

/** The upper bounds of the buckets in seconds: a read takes one or two milliseconds, a charge seconds. */
const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Paths that no route takes are without number, and so are the methods that clients make up. */
export const UNKNOWN_ROUTE = 'unknown';
const OTHER_METHOD = 'other';
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Of proxies: the client closed its request. */
const CLIENT_GONE = 499;

const durations = new Histogram({
  name: 'subledger_http_request_duration_seconds',
  help: 'From the head of a request to the last byte of its answer, by method and route.',
  labelNames: ['method', 'route'] as const,
  buckets: BUCKETS_SECONDS,
  registers: [],
});

const requests = new Counter({
  name: 'subledger_http_requests_total',
  help: 'Requests by method, route (the pattern; "unknown" for all others) and status; 499 where the client went away before its answer.',
  labelNames: ['method', 'route', 'status'] as const,
  registers: [],
});

/** Shows the requests that this program answers, and how long they took. */
export function showRequestMetrics(): void {
  showMetrics([requests, durations]);
}

/** @param route as a pattern, `/sdk/plans/:id`; undefined where no route takes the request. */
export function countRequest(
  method: string,
  route: string | undefined,
  status: number,
  tookMs: number,
): void {
  const labels = describe(method, route);
  requests.inc({ ...labels, status });
  durations.observe(labels, tookMs / 1000);
}

/** A client went away before its answer was sent, so that there is no duration (rules/running 10). */
export function countGoneClient(method: string, route: string | undefined): void {
  requests.inc({ ...describe(method, route), status: CLIENT_GONE });
}

function describe(method: string, route = UNKNOWN_ROUTE) {
  return { method: METHODS.has(method) ? method : OTHER_METHOD, route };
}
