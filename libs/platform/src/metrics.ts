import { collectDefaultMetrics, Registry } from 'prom-client';

/** The one registry of a process; every part registers its metrics here. */
export const metrics = new Registry();

/** Adds the process's own figures: memory, event loop delay, garbage collection. Call it once, at start. */
export function collectProcessMetrics(): void {
  collectDefaultMetrics({ register: metrics });
}
