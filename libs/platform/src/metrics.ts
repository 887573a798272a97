import { collectDefaultMetrics, type Metric, Registry } from 'prom-client';

/** The one registry of a process: `/metrics` shows its content. */
export const metrics = new Registry();

let areProcessMetricsShown = false;

/** Adds the process's own figures: memory, processor time, event loop delay, garbage collection. */
export function collectProcessMetrics(): void {
  if (areProcessMetricsShown) return;
  areProcessMetricsShown = true;
  collectDefaultMetrics({ register: metrics });
}

/**
 * Shows metrics that a library declares with `registers: []`. A program that only loads the library
 * would otherwise show them as zeros, which alerts take for measurements. Showing them twice is once.
 */
export function showMetrics<Label extends string>(declared: readonly Metric<Label>[]): void {
  for (const metric of declared) metrics.registerMetric(metric);
}
