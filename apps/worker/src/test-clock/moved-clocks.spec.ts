import { describe, expect, it } from 'vitest';
import { Partitions } from '#event-store';
import { Fault } from '#platform';
import type { ReadModels } from '#projection-engine';
import { READ_PAGE } from '../limits.js';
import { at, nextTurn, silent } from '../spec-support/fakes.js';
import { MovedClocks } from './moved-clocks.js';

type Part = { readonly partition: number; readonly offset: number; readonly limit: number };

function create(lists: {
  moved: string[][];
  advancing?: string[][];
  failures?: number;
  silent?: number;
}) {
  let change: (streamNames: ReadonlySet<string>) => void = () => undefined;
  const clocks = new MovedClocks({
    onChange: (listener) => {
      change = listener;
      return () => undefined;
    },
  });
  const heard: string[] = [];
  const waits: unknown[] = [];
  let { failures = 0 } = lists;
  const part = (of: string[][] | undefined, { partition, offset, limit }: Part) =>
    (of?.[partition] ?? []).slice(offset, offset + limit);
  const readModels = {
    partitions: new Partitions(lists.moved.length),
    waitFor: async (position: unknown, options: { readonly partitions: readonly number[] }) => {
      if (options.partitions.includes(lists.silent ?? -1)) await new Promise(() => undefined);
      failures -= 1;
      if (failures >= 0) throw new Fault('unavailable', 'not built', { retryable: true });
      waits.push([position, options]);
    },
    ask: () => ({
      moved: async (range: Part) => part(lists.moved, range),
      advancing: async (range: Part) => part(lists.advancing, range),
    }),
  } as unknown as ReadModels;
  const { signal } = new AbortController();
  const learn = () =>
    clocks.learn({ readModels, findHead: async () => at(7), signal, log: silent });
  const follow = () =>
    clocks.follow((appId, mayAdvance) => heard.push(`${appId}${mayAdvance ? ' advances' : ''}`));
  return {
    clocks,
    heard,
    waits,
    learn,
    follow,
    change: (...names: string[]) => change(new Set(names)),
  };
}

describe('the test clocks that were ever advanced', () => {
  it('are learnt from the read model of each partition, once it shows what was there before', async () => {
    const many = Array.from({ length: READ_PAGE + 5 }, (_, n) => `app_${n}`);
    const { learn, follow, heard, waits } = create({
      moved: [many, ['app_x']],
      advancing: [['app_3']],
    });
    follow();
    await learn();
    expect(heard).toHaveLength(READ_PAGE + 6);
    expect(heard.filter((each) => each.endsWith('advances'))).toEqual(['app_3 advances']);
    expect(waits).toMatchObject([
      [at(7), { partitions: [0] }],
      [at(7), { partitions: [1] }],
    ]);
  });

  it('are given to a later follower, too, and each change of one to all', async () => {
    const { clocks, learn, follow, heard, change } = create({ moved: [['app_1']] });
    await learn();
    const leave = follow();
    expect(heard).toEqual(['app_1']);
    change('test_clock-app_2', 'app-app_3', 'test_clock-app_1');
    expect(heard).toEqual(['app_1', 'app_2 advances', 'app_1 advances']);
    leave();
    change('test_clock-app_2');
    expect(heard).toHaveLength(3);
    expect([clocks.has('app_2'), clocks.has('app_3')]).toEqual([true, false]);
  });

  it('keep what went by while they were looked up: that is newer', async () => {
    const { learn, follow, heard, change } = create({ moved: [['app_1']] });
    change('test_clock-app_1');
    await learn();
    follow();
    expect(heard).toEqual(['app_1 advances']);
  });

  it('are learnt from all partitions at once: one whose read model is behind keeps none of the others waiting', async () => {
    const { learn, follow, heard } = create({ moved: [['app_1'], ['app_2']], silent: 0 });
    void learn();
    await nextTurn();
    follow();
    expect(heard).toEqual(['app_2']);
  });

  it('are looked up again where the read model is not there yet', async () => {
    const { learn, follow, heard } = create({ moved: [['app_1']], failures: 2 });
    await learn();
    follow();
    expect(heard).toEqual(['app_1']);
  });
});
