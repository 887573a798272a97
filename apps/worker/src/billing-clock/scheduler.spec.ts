import { describe, expect, it, vi } from 'vitest';
import {
  BEGUN_AGAIN_AFTER_MS,
  DUE_IN_A_RUN,
  DUE_RETRY_BASE_MS,
  TAKEN_UP_AT_ONCE,
} from '../limits.js';
import { dueHeldUp } from '../metrics.js';
import { createScheduler, due } from './spec-support/scheduler.js';

const going = new AbortController().signal;

describe('the scheduler', () => {
  it('takes up what is due in any app, with one look for all of them', async () => {
    const { scheduler, done } = createScheduler({
      all: [due('sub_1', 'app_1'), due('sub_2', 'app_2')],
    });
    await scheduler.runOnce(going);
    expect(done.sort()).toEqual(['sub_1 scheduler', 'sub_2 scheduler']);
  });

  it('looks into a test app whose clock is ahead, and into no other', async () => {
    const { scheduler, done } = createScheduler({
      all: [],
      clocks: { app_ahead: '2999-01-01T00:00:00.000Z', app_behind: '2020-01-01T00:00:00.000Z' },
      inTestApps: { app_ahead: [due('sub_1', 'app_ahead')], app_behind: [due('sub_2')] },
    });
    await scheduler.runOnce(going);
    expect(done).toEqual(['sub_1 scheduler']);
  });

  it('leaves an app whose test clock is on its way to the clock', async () => {
    const { scheduler, done } = createScheduler({ advancing: ['app_1'] });
    await scheduler.runOnce(going);
    expect(done).toEqual([]);
  });

  it('takes up a due date once, though the read models still show it', async () => {
    const { scheduler, done } = createScheduler();
    await scheduler.runOnce(going);
    await scheduler.runOnce(going);
    expect(done).toEqual(['sub_1 scheduler']);
  });

  it.each([
    ['was taken up', false],
    ['failed', true],
  ])('takes up what is due again at the instant of one that %s', async (_, fails) => {
    const all = [due('sub_1')];
    const { scheduler, done } = createScheduler({
      all,
      process: async () => {
        if (fails && all[0]?.revision === 0) throw new Error('no');
      },
    });
    await scheduler.runOnce(going);
    all.splice(0, 1, due('sub_1', 'app_1', all[0]?.dueAt, 2));
    await scheduler.runOnce(going);
    expect(done).toHaveLength(fails ? 1 : 2);
  });

  it('takes it up again when the read models show it for too long', async () => {
    vi.useFakeTimers();
    try {
      const { scheduler, done } = createScheduler();
      await scheduler.runOnce(going);
      vi.advanceTimersByTime(BEGUN_AGAIN_AFTER_MS);
      await scheduler.runOnce(going);
      expect(done).toEqual(['sub_1 scheduler', 'sub_1 scheduler']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('goes on with the others when one due date fails, or one app cannot be looked up', async () => {
    const { scheduler, done } = createScheduler({
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
    const { scheduler } = createScheduler({
      process: async () => {
        attempts += 1;
        throw new Error('no');
      },
    });
    await scheduler.runOnce(going);
    await scheduler.runOnce(going);
    expect(attempts).toBe(1);
  });

  it('counts what is held up, and no more once it has gone through', async () => {
    vi.useFakeTimers();
    try {
      let isBroken = true;
      const { scheduler, done } = createScheduler({
        process: async () => {
          if (isBroken) throw new Error('no');
        },
      });
      const count = async () => (await dueHeldUp.get()).values.map(({ value }) => value);
      await scheduler.runOnce(going);
      expect([done, await count()]).toEqual([[], [1]]);
      isBroken = false;
      vi.advanceTimersByTime(DUE_RETRY_BASE_MS);
      await scheduler.runOnce(going);
      expect([done, await count()]).toEqual([['sub_1 scheduler'], [0]]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('comes to what is behind any number of due dates that are held up', async () => {
    const held = Array.from({ length: DUE_IN_A_RUN + TAKEN_UP_AT_ONCE }, (_, n) =>
      due(`sub_bad_${n}`),
    );
    const { scheduler, done } = createScheduler({
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

  it('lets the apps of a page take turns, each with what is longest overdue', async () => {
    const flood = Array.from({ length: 40 }, (_, n) => due(`sub_${n}`, 'app_flood'));
    const { scheduler, done } = createScheduler({
      all: [...flood, due('sub_a', 'app_a'), due('sub_b', 'app_b')],
    });
    await scheduler.runOnce(going);
    const first = ['sub_0', 'sub_a', 'sub_b', 'sub_1', 'sub_2'];
    expect(done.slice(0, 5)).toEqual(first.map((id) => `${id} scheduler`));
  });

  it('passes no one over while what it takes up leaves the list', async () => {
    const at = (n: number) => new Date(Date.parse('2026-01-01') + n * 1_000).toISOString();
    const all = Array.from({ length: 2 * TAKEN_UP_AT_ONCE + 7 }, (_, n) =>
      due(`sub_${n}`, 'app_1', at(Math.floor(n / 3))),
    );
    const { scheduler, done } = createScheduler({
      all,
      process: async (id) => {
        all.splice(
          all.findIndex(({ subjectId }) => subjectId === id),
          1,
        );
      },
    });
    await scheduler.runOnce(going);
    expect(done.length).toBeGreaterThan(2 * TAKEN_UP_AT_ONCE);
    await scheduler.runOnce(going);
    expect(all).toEqual([]);
  });

  it('takes up nothing once it is stopped', async () => {
    const { scheduler, done } = createScheduler();
    await scheduler.runOnce(AbortSignal.abort());
    await scheduler.run(AbortSignal.abort());
    expect(done).toEqual([]);
  });
});
