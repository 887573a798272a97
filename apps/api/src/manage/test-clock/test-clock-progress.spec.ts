import { describe, expect, it } from 'vitest';
import type { Ledger } from '#nest';
import { Fault } from '#platform';
import type { ReadModels } from '#projection-engine';
import type { AppDirectory } from '#tenancy';
import { TestClockProgress } from './test-clock.handlers.js';

/** Longer than a test may take. */
const LIMIT_MS = 600_000;

/** A clock that gets a step further with each look; undefined where it rests. */
function create(steps: readonly (string | undefined)[], stopping = new AbortController()) {
  const shown: string[] = [];
  let look = -1;
  const load = async () => {
    look = Math.min(look + 1, steps.length - 1);
    const standsAt = steps[look];
    const advance = standsAt === undefined ? null : { standsAt };
    return { state: { advance }, position: `position ${look}` };
  };
  const ledger = { load } as unknown as Ledger;
  const late: { apps?: Error; readModels?: Error } = {};
  const readModels = {
    waitFor: async (at: string) => {
      if (late.readModels !== undefined) throw late.readModels;
      shown.push(at);
    },
  };
  const apps = {
    waitFor: async () => {
      if (late.apps !== undefined) throw late.apps;
    },
  };
  const progress = new TestClockProgress(
    ledger,
    readModels as unknown as ReadModels,
    apps as unknown as AppDirectory,
    stopping.signal,
  );
  return { progress, shown, stopping, late };
}

describe('an advance', () => {
  it('is waited for until the clock rests, and the read models show it', async () => {
    const { progress, shown } = create(['January', 'February', undefined]);
    expect(await progress.settled('app_1', LIMIT_MS)).toBe('position 2');
    expect(shown).toEqual(['position 2']);
  });

  it('answers at its bound how far it came; the same call goes on from there', async () => {
    const { progress, shown } = create(['January', 'February', undefined]);
    expect(await progress.settled('app_1', 0)).toBe('position 0');
    expect(await progress.settled('app_1', 0)).toBe('position 1');
    expect(await progress.settled('app_1', 0)).toBe('position 2');
    expect(shown).toEqual(['position 0', 'position 1', 'position 2']);
  });

  it.each(['apps', 'readModels'] as const)('answers also while the %s are behind', async (what) => {
    const { progress, late } = create(['January']);
    late[what] = new Fault('unavailable', 'too late', { retryable: true });
    expect(await progress.settled('app_1', 0)).toBe('position 0');
    late[what] = new TypeError('a defect');
    await expect(progress.settled('app_1', 0)).rejects.toThrow('a defect');
  });

  it('answers at a stop', async () => {
    const { progress, stopping } = create(['January']);
    stopping.abort();
    expect(await progress.settled('app_1', LIMIT_MS)).toBe('position 0');
  });
});
