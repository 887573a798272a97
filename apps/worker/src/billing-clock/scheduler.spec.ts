import { describe, expect, it } from '@jest/globals';
import type { CreatedApp } from '#domain/app';
import type { AppDirectory } from '#tenancy';
import type { ReadModels } from '#projection-engine';
import { createLease, silent } from '../spec-support/fakes.js';
import type { DueDates } from './due-dates.js';
import { Scheduler } from './scheduler.js';

const NOW = '2026-02-01T00:00:00.000Z';
const due = (subscriptionId: string, dueAt = '2026-01-31T00:00:00.000Z') => ({
  subscriptionId,
  dueAt,
});
const going = new AbortController().signal;

interface Fakes {
  readonly apps?: readonly { appId: string; environment: 'test' | 'production' }[];
  readonly advancing?: readonly string[];
  readonly due?: (appId: string) => Promise<ReturnType<typeof due>[]>;
  readonly process?: (subscriptionId: string) => Promise<void>;
}

function create(fakes: Fakes = {}) {
  const { apps = [{ appId: 'app_1', environment: 'test' }], advancing = [] } = fakes;
  const done: string[] = [];
  const dueDates = {
    process: async ({ subscriptionId }: { subscriptionId: string }, at: { by: string }) => {
      await fakes.process?.(subscriptionId);
      done.push(`${subscriptionId} ${at.by}`);
    },
  } as unknown as DueDates;
  const readModels: Pick<ReadModels, 'due'> = {
    due: fakes.due ?? (async () => [due('sub_1')]),
  };
  const directory = {
    all: () => apps as CreatedApp[],
    now: () => NOW,
    testClock: (appId: string) => ({ advance: advancing.includes(appId) ? {} : null }),
  } as unknown as AppDirectory;
  return { scheduler: new Scheduler(dueDates, readModels, directory, createLease(), silent), done };
}

describe('the scheduler', () => {
  it('takes up what is due in each app', async () => {
    const { scheduler, done } = create({
      apps: [
        { appId: 'app_1', environment: 'test' },
        { appId: 'app_2', environment: 'production' },
      ],
      due: async (appId) => [due(`sub_of_${appId}`)],
    });
    await scheduler.runOnce(going);
    expect(done.sort()).toEqual(['sub_of_app_1 scheduler', 'sub_of_app_2 scheduler']);
  });

  it('leaves an app whose test clock is on its way to the clock', async () => {
    const { scheduler, done } = create({ advancing: ['app_1'] });
    await scheduler.runOnce(going);
    expect(done).toEqual([]);
  });

  it('takes up a due date once, though the read models still show it', async () => {
    const { scheduler, done } = create();
    await scheduler.runOnce(going);
    await scheduler.runOnce(going);
    expect(done).toEqual(['sub_1 scheduler']);
  });

  it('goes on with the others when one due date fails, or one app cannot be looked up', async () => {
    const { scheduler, done } = create({
      apps: [
        { appId: 'app_bad', environment: 'production' },
        { appId: 'app_1', environment: 'production' },
      ],
      due: async (appId) => {
        if (appId === 'app_bad') throw new Error('Redis is away');
        return [due('sub_bad'), due('sub_ok')];
      },
      process: async (id) => {
        if (id === 'sub_bad') throw new Error('no');
      },
    });
    await scheduler.runOnce(going);
    expect(done).toEqual(['sub_ok scheduler']);
  });

  it('takes up nothing once it is stopped', async () => {
    const { scheduler, done } = create();
    await scheduler.runOnce(AbortSignal.abort());
    await scheduler.run(AbortSignal.abort());
    expect(done).toEqual([]);
  });
});
