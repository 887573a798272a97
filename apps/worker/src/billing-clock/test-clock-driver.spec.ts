import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { CreatedApp } from '#domain/app';
import { createLogger } from '#platform';
import type { AppDirectory } from '#tenancy';
import { JOBS_STOP_LIMIT_MS } from '../limits.js';
import { TestClockDriver } from './test-clock-driver.js';
import type { TestClockConductor } from './test-clock-conductor.js';
import type { TestClockSteps } from './test-clock-steps.js';

describe('a test clock on its way', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('is left where it is by a stop, whatever its step waits for', async () => {
    const stop = new AbortController();
    // As read models that are far behind: the step waits for them.
    const steps: Partial<TestClockSteps> = {
      begin: (app) => ({ app, done: new Set(), awaited: new Set(), seenAt: null, said: null }),
      look: () => new Promise(() => undefined),
    };
    const conductor: Partial<TestClockConductor> = { conduct: async () => false };
    const apps: Partial<AppDirectory> = {
      // The driver looks at the id alone.
      all: () => [{ appId: 'app_1' } as CreatedApp],
      testClock: () => ({ advance: { standsAt: '', target: '' } }) as never,
    };
    const log = createLogger('test', { level: 'silent' });
    const driver = new TestClockDriver(
      steps as TestClockSteps,
      conductor as TestClockConductor,
      apps as AppDirectory,
      log,
    );
    let hasStopped = false;
    const running = driver.run(stop.signal).then(() => (hasStopped = true));
    stop.abort();
    await jest.advanceTimersByTimeAsync(JOBS_STOP_LIMIT_MS - 1);
    expect(hasStopped).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(await running).toBe(true);
  }, 15_000);
});
