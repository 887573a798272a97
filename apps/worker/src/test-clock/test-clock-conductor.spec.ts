import { describe, expect, it } from 'vitest';
import type { CreatedApp } from '#domain/app';
import { Partitions } from '#event-store';
import type { ClockPart, ClockParts } from './clock-parts.js';
import type { TestClockCharges } from './test-clock-charges.js';
import type { TestClockCommands } from './test-clock-commands.js';
import { TestClockConductor } from './test-clock-driver.js';

const STANDS_AT = '2026-01-01T00:00:00.000Z';
const TARGET = '2026-12-31T00:00:00.000Z';
/** Its bucket is in the second of two partitions. */
const APP = { appId: 'app_01kg9qxg80ffd9zf3vcz2q1fb6nq' } as CreatedApp;

const part = (next: string | null, more: Partial<ClockPart> = {}): ClockPart => ({
  standsAt: STANDS_AT,
  target: TARGET,
  next,
  restsOn: [],
  ...more,
});

function create(parts: readonly (ClockPart | undefined)[], partition = 1) {
  const log: string[] = [];
  const clocks: Partial<TestClockCommands> = {
    findAdvance: async () => ({ standsAt: STANDS_AT, target: TARGET }),
    step: async (_app, { standsAt }, to) => void log.push(`step from ${standsAt} to ${to}`),
    reachTarget: async (_app, { target }) => void log.push(`reach ${target}`),
  };
  const charges: Partial<TestClockCharges> = {
    areLeftPending: async (those) => those.every(({ paymentId }) => paymentId === 'pay_pending'),
  };
  const conductor = new TestClockConductor(
    clocks as TestClockCommands,
    { readAll: async () => [...parts] } as Partial<ClockParts> as ClockParts,
    charges as TestClockCharges,
    new Partitions(2),
    { partition, fence: { key: 'fence', token: 'epoch 1' }, lastsUntilMs: Infinity },
  );
  return { conduct: () => conductor.conduct(APP), log };
}

describe('who moves a test clock', () => {
  it('moves it to the lowest due time over all partitions', async () => {
    const { conduct, log } = create([
      part('2026-03-01T00:00:00.000Z'),
      part('2026-02-01T00:00:00.000Z'),
    ]);
    expect(await conduct()).toBe(true);
    expect(log).toEqual([`step from ${STANDS_AT} to 2026-02-01T00:00:00.000Z`]);
  });

  it('moves it to its target when nothing is due before', async () => {
    const { conduct, log } = create([part(null), part(null)]);
    expect(await conduct()).toBe(true);
    expect(log).toEqual([`reach ${TARGET}`]);
  });

  it.each([
    ['said nothing', undefined],
    ['speaks of an earlier step', part(null, { standsAt: '2025-12-31T00:00:00.000Z' })],
    ['speaks of an earlier target', part(null, { target: '2026-06-30T00:00:00.000Z' })],
  ])('waits for a partition that %s', async (_, other) => {
    const { conduct, log } = create([part(null), other]);
    expect(await conduct()).toBe(false);
    expect(log).toEqual([]);
  });

  it.each([
    ['goes on while the gateway leaves a charge pending', 'pay_pending', true],
    ['waits where an outcome has come of a charge', 'pay_captured', false],
  ])('%s that a partition has named', async (_, paymentId, goesOn) => {
    const restsOn = [{ subjectId: 'sub_1', paymentId }];
    const { conduct, log } = create([part(null), part(null, { restsOn })]);
    expect(await conduct()).toBe(goesOn);
    expect(log).toHaveLength(goesOn ? 1 : 0);
  });

  it('is the holder of the partition of its app, and no other', async () => {
    const { conduct, log } = create([part(null), part(null)], 0);
    expect(await conduct()).toBe(false);
    expect(log).toEqual([]);
  });
});
