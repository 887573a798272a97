import { beforeAll } from 'vitest';
import { metrics } from '#platform';

/** The set-up of the unit tier: files share a process, and each begins without the values of the metrics of earlier ones. */
beforeAll(() => {
  metrics.resetMetrics();
});
