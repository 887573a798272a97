import { describe, expect, it } from 'vitest';
import { CALLS_AT_ONCE, DUE_IN_A_RUN, TAKEN_UP_AT_ONCE, UNDER_WAY_OF_AN_APP } from '../limits.js';
import { nextTurn } from '../spec-support/fakes.js';
import { createScheduler, due } from './spec-support/scheduler.js';

const going = new AbortController().signal;

describe('the scheduler, where many are due', () => {
  it('leaves the rest of an app with enough under way, and comes to what is behind it', async () => {
    const flood = Array.from({ length: TAKEN_UP_AT_ONCE * 3 }, (_, n) =>
      due(`sub_${n}`, 'app_flood'),
    );
    const quiet = due('sub_quiet', 'app_quiet', '2026-01-31T00:00:01.000Z');
    const { scheduler, done, news } = createScheduler({ all: [...flood, quiet], charges: true });
    await scheduler.runOnce(going);
    expect(done).toHaveLength(UNDER_WAY_OF_AN_APP + 1);
    expect(done).toContain('sub_quiet scheduler');
    // As outcomes come, others of the app are taken up at once, the longest overdue first.
    for (const n of [3, 5]) news.get(`pay of sub_${n}`)?.();
    await nextTurn();
    expect(done.slice(-2)).toEqual([0, 1].map((n) => `sub_${UNDER_WAY_OF_AN_APP + n} scheduler`));
    expect(done).toHaveLength(UNDER_WAY_OF_AN_APP + 3);
  });

  it('begins no more commands at once than it may, by a run and as outcomes come', async () => {
    const flood = Array.from({ length: TAKEN_UP_AT_ONCE }, (_, n) => due(`sub_${n}`, 'app_flood'));
    let [running, most] = [0, 0];
    const { scheduler, done, news } = createScheduler({
      all: flood,
      charges: true,
      process: async () => {
        most = Math.max(most, ++running);
        await nextTurn();
        running -= 1;
      },
    });
    await scheduler.runOnce(going);
    const next = scheduler.runOnce(going);
    for (const settle of [...news.values()]) settle();
    await next;
    while (done.length < 2 * UNDER_WAY_OF_AN_APP) await nextTurn();
    expect(most).toBe(CALLS_AT_ONCE);
  });

  it('takes up what a run passed over as outcomes come, while later runs look behind it', async () => {
    const held = Array.from({ length: DUE_IN_A_RUN }, (_, n) => due(`sub_bad_${n}`, 'app_bad'));
    const own = Array.from({ length: UNDER_WAY_OF_AN_APP + 3 }, (_, n) => due(`sub_${n}`, 'app_b'));
    const behind = Array.from({ length: DUE_IN_A_RUN }, (_, n) => due(`sub_no_${n}`, 'app_bad'));
    const { scheduler, done, news } = createScheduler({
      all: [...held, ...own, ...behind],
      charges: true,
      process: async (id) => {
        if (/bad|no/.test(id)) throw new Error('no');
      },
    });
    await scheduler.runOnce(going);
    await scheduler.runOnce(going);
    expect(done).toHaveLength(UNDER_WAY_OF_AN_APP);
    await scheduler.runOnce(going);
    for (const n of [3, 5]) news.get(`pay of sub_${n}`)?.();
    await nextTurn();
    expect(done.slice(UNDER_WAY_OF_AN_APP)).toEqual(
      [0, 1].map((n) => `sub_${UNDER_WAY_OF_AN_APP + n} scheduler`),
    );
  });

  it('takes up what was passed over at the next run where one has failed', async () => {
    const own = Array.from({ length: UNDER_WAY_OF_AN_APP + 1 }, (_, n) => due(`sub_${n}`));
    const behind = Array.from({ length: DUE_IN_A_RUN }, (_, n) => due(`sub_no_${n}`, 'app_bad'));
    let fail: (error: Error) => void = () => undefined;
    const failing = new Promise<void>((_, reject) => (fail = reject));
    const { scheduler, done } = createScheduler({
      all: [...own, ...behind],
      charges: true,
      process: async (id) => {
        if (id === 'sub_0') await failing;
        if (id.includes('no')) throw new Error('no');
      },
    });
    const run = scheduler.runOnce(going);
    while (done.length < UNDER_WAY_OF_AN_APP - 1) await nextTurn();
    fail(new Error('out of reach'));
    await run;
    expect(done).not.toContain(`sub_${UNDER_WAY_OF_AN_APP} scheduler`);
    await scheduler.runOnce(going);
    expect(done).toContain(`sub_${UNDER_WAY_OF_AN_APP} scheduler`);
  });

  it('bills an app of which many are due as fast as outcomes come, and not a round of them in a second', async () => {
    const flood = Array.from({ length: TAKEN_UP_AT_ONCE }, (_, n) => due(`sub_${n}`, 'app_flood'));
    const { scheduler, done, news } = createScheduler({ all: flood, charges: true });
    await scheduler.runOnce(going);
    for (let n = 0; n < TAKEN_UP_AT_ONCE - UNDER_WAY_OF_AN_APP; n += 1) {
      news.get(`pay of sub_${n}`)?.();
      await nextTurn();
    }
    expect(done).toEqual(flood.map(({ subjectId }) => `${subjectId} scheduler`));
  });
});
