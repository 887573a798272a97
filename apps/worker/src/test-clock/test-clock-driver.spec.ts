import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CreatedApp } from '#domain/app';
import { createLogger } from '#platform';
import { JOBS_STOP_LIMIT_MS } from '../limits.js';
import type { MovedClocks } from './moved-clocks.js';
import { type TestClockConductor, TestClockDriver } from './test-clock-driver.js';
import type { TestClockSteps } from './test-clock-steps.js';

/** A directory of one app, whose clock is advanced by hand. */
class FakeApps {
  isAdvancing = false;
  /** Called when the driver has looked at the clock. */
  onAsked: () => void = () => undefined;
  #listener: ((appId: string, mayAdvance: boolean) => void) | undefined;

  // The driver looks at the id alone.
  readonly find = async () => ({ appId: 'app_1' }) as CreatedApp;
  readonly testClock = async () => {
    const advance = this.isAdvancing ? { standsAt: '', target: '' } : null;
    this.onAsked();
    return { advance } as never;
  };
  readonly follow: MovedClocks['follow'] = (listener) => {
    this.#listener = listener;
    listener('app_1', this.isAdvancing);
    return () => (this.#listener = undefined);
  };

  change(isAdvancing: boolean): void {
    this.isAdvancing = isAdvancing;
    this.#listener?.('app_1', true);
  }
}

function create(look: () => Promise<boolean>) {
  const apps = new FakeApps();
  const steps: Partial<TestClockSteps> = {
    begin: (app) => ({ app, done: new Set(), awaited: new Set(), seenAt: null, said: null }),
    look: vi.fn(look),
  };
  const conductor: Partial<TestClockConductor> = { conduct: async () => false };
  const driver = new TestClockDriver(
    steps as TestClockSteps,
    conductor as TestClockConductor,
    apps,
    apps,
    createLogger('test', { level: 'silent' }),
  );
  return { apps, driver, look: steps.look };
}

const never = () => new Promise<boolean>(() => undefined);
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('a test clock on its way', () => {
  const stop = new AbortController();
  afterEach(() => void vi.useRealTimers());

  describe('whose step takes long', () => {
    beforeEach(() => void vi.useFakeTimers());

    it('is left where it is by a stop, whatever its step waits for', async () => {
      // As read models that are far behind: the step waits for them.
      const { apps, driver } = create(never);
      apps.isAdvancing = true;
      let hasStopped = false;
      const running = driver.run(stop.signal).then(() => (hasStopped = true));
      stop.abort();
      await vi.advanceTimersByTimeAsync(JOBS_STOP_LIMIT_MS - 1);
      expect(hasStopped).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      expect(await running).toBe(true);
    }, 15_000);
  });

  it('is taken up when the directory hears that it was advanced, and once', async () => {
    const { apps, driver, look } = create(never);
    void driver.run(new AbortController().signal);
    await nextTurn();
    expect(look).not.toHaveBeenCalled();
    apps.change(true);
    apps.change(true);
    await nextTurn();
    expect(look).toHaveBeenCalledTimes(1);
  });

  it('is taken up again when it is advanced while its last drive ends', async () => {
    let looks = 0;
    const { apps, driver, look } = create(async () => {
      looks += 1;
      if (looks > 1) return never();
      apps.isAdvancing = false;
      // The drive sees that the clock is at its target, and has not ended yet.
      apps.onAsked = () => queueMicrotask(() => apps.change(true));
      return true;
    });
    apps.isAdvancing = true;
    void driver.run(new AbortController().signal);
    await nextTurn();
    expect(look).toHaveBeenCalledTimes(2);
  });
});
