import { describe, expect, it, jest } from '@jest/globals';
import type { CreatedApp } from '#domain/app';
import type { ReadModels } from '#projection-engine';
import type { TimeRange } from '#projection-engine/define';
import type { DueDate } from '#projections';
import { Partitions } from '#event-store';
import type { AppDirectory } from '#tenancy';
import { DUE_AT_ONCE, DUE_IN_A_RUN, TAKEN_UP_FOR_MS, UNDER_WAY_OF_AN_APP } from '../limits.js';
import { ProgressNotifier } from '../feed/progress-notifier.js';
import { at, createLease, nextTurn, silent } from '../spec-support/fakes.js';
import type { DueDates } from './due-dates.js';
import type { MovedClocks } from './moved-clocks.js';
import type { PendingRenewals } from './pending-renewals.js';
import { RenewalsUnderWay } from './renewals-under-way.js';
import { Scheduler } from './scheduler.js';
import { TestAppLooks } from './test-app-looks.js';

const due = (
  subscriptionId: string,
  appId = 'app_1',
  dueAt = '2026-01-31T00:00:00.000Z',
): DueDate => ({ appId, subscriptionId, dueAt });
const going = new AbortController().signal;

interface Fakes {
  /** Apps with a test clock, and what it shows. */
  readonly clocks?: Readonly<Record<string, string>>;
  readonly advancing?: readonly string[];
  /** What is due by the wall clock, and in each test app. */
  readonly all?: readonly DueDate[];
  readonly inTestApps?: Readonly<Record<string, readonly DueDate[]>>;
  readonly process?: (subscriptionId: string) => Promise<void>;
  /** Whether a charge is asked for, whose outcome comes later. */
  readonly charges?: boolean;
}

function create(fakes: Fakes = {}) {
  const { clocks = {}, advancing = [], all = [due('sub_1')], inTestApps = {} } = fakes;
  const done: string[] = [];
  const dueDates = {
    process: async ({ subscriptionId }: DueDate, at: { by: string }) => {
      await fakes.process?.(subscriptionId);
      done.push(`${subscriptionId} ${at.by}`);
      return { paymentId: fakes.charges === true ? `pay of ${subscriptionId}` : null };
    },
  } as unknown as DueDates;
  const part = (list: readonly DueDate[], { from = '', limit, offset = 0 }: TimeRange) =>
    list.filter(({ dueAt }) => dueAt >= from).slice(offset, offset + limit);
  const queries = {
    all: async (range: TimeRange) => part(all, range),
    inTestApp: async (appId: string, range: TimeRange) => {
      const list = inTestApps[appId];
      if (list === undefined) throw new Error('Redis is away');
      return part(list, range);
    },
  };
  const readModels = { ask: () => queries, watermark: async () => at(1) };
  const toApp = (appId: string) => ({ appId, environment: 'test' }) as CreatedApp;
  const directory = {
    find: async (appId: string) => (appId === 'app_gone' ? undefined : toApp(appId)),
    now: async ({ appId }: CreatedApp) => clocks[appId] ?? '2026-02-01T00:00:00.000Z',
    testClock: async (appId: string) => ({ advance: advancing.includes(appId) ? {} : null }),
  } as unknown as AppDirectory;
  const notifier = new ProgressNotifier();
  const moved: Pick<MovedClocks, 'follow' | 'has'> = {
    has: (appId) => appId in clocks,
    follow: (onClock) => {
      for (const appId of Object.keys(clocks)) onClock(appId, false);
      return () => undefined;
    },
  };
  const looks = new TestAppLooks(moved, notifier);
  looks.onModuleInit();
  looks.follow();
  const news = new Map<string, () => void>();
  const renewals: Pick<PendingRenewals, 'beginNews'> = {
    beginNews: () => ({
      waitFor: (paymentId) => new Promise<void>((resolve) => news.set(paymentId, resolve)),
      end: () => undefined,
    }),
  };
  const underWay = new RenewalsUnderWay(renewals as PendingRenewals, new Partitions(1));
  const scheduler = new Scheduler(
    dueDates,
    readModels as unknown as Pick<ReadModels, 'ask' | 'watermark'>,
    directory,
    looks,
    underWay,
    createLease(),
    silent,
  );
  return { scheduler, done, news };
}

describe('the scheduler', () => {
  it('takes up what is due in any app, with one look for all of them', async () => {
    const { scheduler, done } = create({ all: [due('sub_1', 'app_1'), due('sub_2', 'app_2')] });
    await scheduler.runOnce(going);
    expect(done.sort()).toEqual(['sub_1 scheduler', 'sub_2 scheduler']);
  });

  it('looks into a test app whose clock is ahead, and into no other', async () => {
    const { scheduler, done } = create({
      all: [],
      clocks: { app_ahead: '2999-01-01T00:00:00.000Z', app_behind: '2020-01-01T00:00:00.000Z' },
      inTestApps: { app_ahead: [due('sub_1', 'app_ahead')], app_behind: [due('sub_2')] },
    });
    await scheduler.runOnce(going);
    expect(done).toEqual(['sub_1 scheduler']);
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

  it('takes it up again when the read models show it for too long', async () => {
    jest.useFakeTimers();
    try {
      const { scheduler, done } = create();
      await scheduler.runOnce(going);
      jest.advanceTimersByTime(TAKEN_UP_FOR_MS);
      await scheduler.runOnce(going);
      expect(done).toEqual(['sub_1 scheduler', 'sub_1 scheduler']);
    } finally {
      jest.useRealTimers();
    }
  });

  it('goes on with the others when one due date fails, or one app cannot be looked up', async () => {
    const { scheduler, done } = create({
      all: [due('sub_bad'), due('sub_gone', 'app_gone'), due('sub_ok')],
      clocks: { app_bad: '2999-01-01T00:00:00.000Z' },
      process: async (id) => {
        if (id === 'sub_bad') throw new Error('no');
      },
    });
    await scheduler.runOnce(going);
    expect(done).toEqual(['sub_ok scheduler']);
  });

  it('does not ask again at once for what has failed', async () => {
    let attempts = 0;
    const { scheduler } = create({
      process: async () => {
        attempts += 1;
        throw new Error('no');
      },
    });
    await scheduler.runOnce(going);
    await scheduler.runOnce(going);
    expect(attempts).toBe(1);
  });

  it('comes to what is behind any number of due dates that are held up', async () => {
    const held = Array.from({ length: DUE_IN_A_RUN + DUE_AT_ONCE }, (_, n) => due(`sub_bad_${n}`));
    const { scheduler, done } = create({
      all: [...held, due('sub_ok')],
      process: async (id) => {
        if (id.startsWith('sub_bad')) throw new Error('no');
      },
    });
    await scheduler.runOnce(going);
    expect(done).toEqual([]);
    await scheduler.runOnce(going);
    expect(done).toEqual(['sub_ok scheduler']);
    await scheduler.runOnce(going);
    expect(done).toEqual(['sub_ok scheduler']);
  });

  it('leaves the rest of an app with enough under way, and comes to what is behind it', async () => {
    const flood = Array.from({ length: DUE_AT_ONCE * 3 }, (_, n) => due(`sub_${n}`, 'app_flood'));
    const quiet = due('sub_quiet', 'app_quiet', '2026-01-31T00:00:01.000Z');
    const { scheduler, done, news } = create({ all: [...flood, quiet], charges: true });
    await scheduler.runOnce(going);
    expect(done).toHaveLength(UNDER_WAY_OF_AN_APP + 1);
    expect(done).toContain('sub_quiet scheduler');
    // As outcomes come, others of the app are taken up at once, the longest overdue first.
    for (const n of [3, 5]) news.get(`pay of sub_${n}`)?.();
    await nextTurn();
    expect(done.slice(-2)).toEqual([128, 129].map((n) => `sub_${n} scheduler`));
    expect(done).toHaveLength(UNDER_WAY_OF_AN_APP + 3);
  });

  it('bills an app of which many are due as fast as outcomes come, and not a round of them in a second', async () => {
    const flood = Array.from({ length: DUE_AT_ONCE }, (_, n) => due(`sub_${n}`, 'app_flood'));
    const { scheduler, done, news } = create({ all: flood, charges: true });
    await scheduler.runOnce(going);
    for (let n = 0; n < DUE_AT_ONCE - UNDER_WAY_OF_AN_APP; n += 1) {
      news.get(`pay of sub_${n}`)?.();
      await nextTurn();
    }
    expect(done).toEqual(flood.map(({ subscriptionId }) => `${subscriptionId} scheduler`));
  });

  it('lets the apps of a page take turns, each with what is longest overdue', async () => {
    const flood = Array.from({ length: 40 }, (_, n) => due(`sub_${n}`, 'app_flood'));
    const { scheduler, done } = create({
      all: [...flood, due('sub_a', 'app_a'), due('sub_b', 'app_b')],
    });
    await scheduler.runOnce(going);
    const first = ['sub_0', 'sub_a', 'sub_b', 'sub_1', 'sub_2'];
    expect(done.slice(0, 5)).toEqual(first.map((id) => `${id} scheduler`));
  });

  it('passes no one over while what it takes up leaves the list', async () => {
    const at = (n: number) => new Date(Date.parse('2026-01-01') + n * 1_000).toISOString();
    const all = Array.from({ length: 2 * DUE_AT_ONCE + 7 }, (_, n) =>
      due(`sub_${n}`, 'app_1', at(Math.floor(n / 3))),
    );
    const { scheduler, done } = create({
      all,
      process: async (id) => {
        all.splice(
          all.findIndex(({ subscriptionId }) => subscriptionId === id),
          1,
        );
      },
    });
    await scheduler.runOnce(going);
    expect(done.length).toBeGreaterThan(2 * DUE_AT_ONCE);
    await scheduler.runOnce(going);
    expect(all).toEqual([]);
  });

  it('takes up nothing once it is stopped', async () => {
    const { scheduler, done } = create();
    await scheduler.runOnce(AbortSignal.abort());
    await scheduler.run(AbortSignal.abort());
    expect(done).toEqual([]);
  });
});
