import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { CreatedApp } from '#domain/app';
import { createLogger } from '#platform';
import type { AppDirectory } from '#tenancy';
import { JOBS_STOP_LIMIT_MS, STEP_LIMIT_MS } from '../limits.js';
import { TestClockDriver } from './test-clock-driver.js';
import type { TestClockSteps } from './test-clock-steps.js';

describe('a test clock on its way', () => {
  it('is left where it is by a stop, whatever its step waits for', async () => {
    const stop = new AbortController();
    // As read models that are far behind: the step waits for them.
    const steps: Pick<TestClockSteps, 'begin' | 'step'> = {
      begin: (app) => ({ app, done: new Set(), awaited: new Set(), seenAt: null }),
      step: () => sleep(STEP_LIMIT_MS, undefined, { ref: false }),
    };
    const apps: Partial<AppDirectory> = {
      // The driver looks at the id alone.
      all: () => [{ appId: 'app_1' } as CreatedApp],
      testClock: () => ({ advance: { standsAt: '', target: '' } }) as never,
    };
    const log = createLogger('test', { level: 'silent' });
    const driver = new TestClockDriver(steps as TestClockSteps, apps as AppDirectory, log);
    const running = driver.run(stop.signal);
    stop.abort();
    const stillDriving = sleep(JOBS_STOP_LIMIT_MS + 2_000, 'still driving', { ref: false });
    expect(await Promise.race([running, stillDriving])).toBeUndefined();
  }, 15_000);
});
