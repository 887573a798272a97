import { table } from '../output.js';

/** How an endpoint is, as the API tells it (rules/webhooks 12). */
export interface ToldStatus {
  readonly id: string;
  readonly url: string;
  readonly state: string;
  readonly disabledReason: string;
  readonly class: 'healthy' | 'failing' | 'held';
  readonly breaker: string;
  readonly openUntil: string;
  readonly failures: number;
  readonly failingSince: string;
  readonly inFlight: number;
  readonly oldestInFlightAt: string;
  readonly behind: boolean;
  readonly behindSince: string;
  readonly failed: number;
}

export interface ToldApp {
  readonly appId: string;
  readonly endpoints: readonly ToldStatus[];
}

/** Whether an endpoint is worth a look: any that refuses, has open deliveries or is late. */
export function isTroubled({ class: kind, breaker, behind, failed }: ToldStatus): boolean {
  return kind !== 'healthy' || breaker !== 'closed' || behind || failed > 0;
}

/** The sums of all endpoints together. */
export function sumUp(endpoints: readonly ToldStatus[]) {
  const count = (isOne: (each: ToldStatus) => boolean) => endpoints.filter(isOne).length;
  const sum = (read: (each: ToldStatus) => number) =>
    endpoints.reduce((total, each) => total + read(each), 0);
  return {
    endpoints: endpoints.length,
    healthy: count((each) => each.class === 'healthy'),
    failing: count((each) => each.class === 'failing'),
    held: count((each) => each.class === 'held'),
    inFlight: sum(({ inFlight }) => inFlight),
    behind: count(({ behind }) => behind),
    failed: sum(({ failed }) => failed),
  };
}

const HEAD = [
  ...['endpoint', 'state', 'class', 'breaker', 'failing for', 'in flight', 'oldest'],
  ...['behind', 'failed', 'address'],
];

/** A line for each endpoint, and one of all of them. */
export function describeStatus(apps: readonly ToldApp[], nowMs: number): string {
  const endpoints = apps.flatMap((app) => app.endpoints);
  const totals = describeTotals(sumUp(endpoints));
  if (endpoints.length === 0) return totals;
  const rows = apps.flatMap((app) =>
    app.endpoints.map((each) => [app.appId, ...describeEndpoint(each, nowMs)]),
  );
  return `${table(['app', ...HEAD], rows)}\n\n${totals}`;
}

function describeEndpoint(told: ToldStatus, nowMs: number): string[] {
  const { state, disabledReason, breaker, openUntil, behind, behindSince } = told;
  const left = Math.max(0, Date.parse(openUntil) - nowMs);
  return [
    told.id,
    disabledReason === '' ? state : `${state} (${disabledReason})`,
    told.class,
    openUntil === '' ? breaker : `${breaker} for ${sayDuration(left)}`,
    sayAge(told.failingSince, nowMs),
    String(told.inFlight),
    sayAge(told.oldestInFlightAt, nowMs),
    behind ? sayAge(behindSince, nowMs) || 'yes' : '',
    String(told.failed),
    told.url,
  ];
}

function describeTotals(totals: ReturnType<typeof sumUp>): string {
  const { endpoints, healthy, failing, held, inFlight, behind, failed } = totals;
  const of = `${endpoints} ${endpoints === 1 ? 'endpoint' : 'endpoints'}`;
  const classes = `${healthy} healthy, ${failing} failing, ${held} held`;
  return `${of}: ${classes}; ${inFlight} in flight, ${behind} behind, ${failed} failed for good.`;
}

/** How long ago something was; "" where it is not known. */
function sayAge(instant: string, nowMs: number): string {
  return instant === '' ? '' : sayDuration(Math.max(0, nowMs - Date.parse(instant)));
}

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
] as const;

/** In the largest unit that it holds two of, rounded down: `119 s`, `2 min`, `47 h`, `3 d`. */
function sayDuration(durationMs: number): string {
  const [size, name] = UNITS.find(([unitMs]) => durationMs >= 2 * unitMs) ?? [1_000, 's'];
  return `${Math.floor(durationMs / size)} ${name}`;
}
