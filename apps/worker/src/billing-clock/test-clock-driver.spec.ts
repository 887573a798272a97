import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { createLogger } from '#platform';
import { JOBS_STOP_LIMIT_MS, STEP_LIMIT_MS } from '../limits.js';
import { TestClockDriver } from './test-clock-driver.js';

type Parts = ConstructorParameters<typeof TestClockDriver>[0];

describe('a test clock on its way', () => {
  it('is left where it is by a stop, whatever its step waits for', async () => {
    const stop = new AbortController();
    const parts: Partial<Record<keyof Parts, unknown>> = {
      apps: {
        all: () => [{ appId: 'app_1' }],
        testClock: () => ({ advance: { standsAt: '', target: '' } }),
      },
      // As read models that are far behind: the step waits for them.
      commands: { load: () => sleep(STEP_LIMIT_MS, {}, { ref: false }) },
      log: createLogger('test', { level: 'silent' }),
    };
    const running = new TestClockDriver(parts as unknown as Parts).run(stop.signal);
    stop.abort();
    const stillDriving = sleep(JOBS_STOP_LIMIT_MS + 2_000, 'still driving', { ref: false });
    expect(await Promise.race([running, stillDriving])).toBeUndefined();
  }, 15_000);
});
