import { describe, expect, it } from 'vitest';
import { PASSED_OVER_KEPT, PassedOver } from './passed-over.js';

const SECONDS = '2026-01-31T00:00:';

const due = (n: number, appId = 'app_1', second = '30') => ({
  ...{ appId, subjectId: `sub_${n}` },
  ...{ dueAt: `${SECONDS}${second}.000Z`, revision: 0 },
});

function takeAll(kept: PassedOver, appId: string): string[] {
  const taken: string[] = [];
  for (;;) {
    const next = kept.take(appId);
    if (next === undefined) return taken;
    taken.push(next.subjectId);
  }
}

/** One app has half at most: no more than are left for others. */
const KEPT_OF_ONE = PASSED_OVER_KEPT / 2;

describe('due dates that were passed over', () => {
  it('are taken with the longest overdue first, in whatever order runs come to them', () => {
    const kept = new PassedOver();
    for (const date of [due(3), due(4), due(1, 'app_1', '10'), due(2, 'app_1', '20')]) {
      kept.keep(date);
    }
    expect(kept.listApps()).toEqual(['app_1']);
    expect(takeAll(kept, 'app_1')).toEqual(['sub_1', 'sub_2', 'sub_3', 'sub_4']);
    expect(kept.listApps()).toEqual([]);
  });

  it('are kept once, though the next round finds them again', () => {
    const kept = new PassedOver();
    for (const date of [due(1), due(2), due(1), due(2)]) kept.keep(date);
    expect(takeAll(kept, 'app_1')).toEqual(['sub_1', 'sub_2']);
  });

  it('are so many of an app at most, and those of them that are longest overdue', () => {
    const kept = new PassedOver();
    for (let n = 0; n <= KEPT_OF_ONE; n += 1) kept.keep(due(n));
    kept.keep(due(-1, 'app_1', '10'));
    const taken = takeAll(kept, 'app_1');
    expect(taken).toHaveLength(KEPT_OF_ONE);
    expect([taken[0], taken[1], taken.at(-1)]).toEqual([
      'sub_-1',
      'sub_0',
      `sub_${KEPT_OF_ONE - 2}`,
    ]);
  });

  it('are so many of all apps at most, of which none has more than are left', () => {
    const kept = new PassedOver();
    const appIds = ['app_1', 'app_2', 'app_3'];
    for (const appId of appIds) {
      for (let n = 0; n < PASSED_OVER_KEPT; n += 1) kept.keep(due(n, appId));
    }
    const counts = appIds.map((appId) => takeAll(kept, appId).length);
    expect(counts).toEqual([2, 4, 8].map((part) => PASSED_OVER_KEPT / part));
    // A taken one is room again.
    kept.keep(due(1));
    expect(takeAll(kept, 'app_1')).toEqual(['sub_1']);
  });
});
