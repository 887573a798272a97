import { afterEach, describe, expect, it, vi } from 'vitest';
import { addHours, addMilliseconds } from '#domain/calendar';
import { DEFAULT_DUNNING, graceOfPendingCharge } from '#domain/dunning';
import { wallClock } from '#platform';
import { periodCharge } from '../../../../libs/domain/src/payment/spec-support/period-charge.js';
import { MemoryEventStore } from '../../../../test/support/memory-event-store.js';
import { DAILY_MS, GIVEN_UP_ASKED_FOR_MS } from '../limits.js';
import { captured, chargeScene, DOWN, FIRST_PERIOD, pending } from './spec-support/charge-scene.js';

describe('a charge', () => {
  it('is asked for once; from then on it is found first, and asked for where it never arrived', async () => {
    const scene = chargeScene(new MemoryEventStore());
    scene.charge = pending;
    expect(await scene.run()).toMatchObject({ status: 'PENDING', pendingSince: scene.now });
    await scene.run();
    expect(scene.asked).toEqual(['charge', 'find', 'charge']);
    scene.find = captured;
    expect(await scene.run()).toMatchObject({ status: 'SUCCEEDED', capturedAt: scene.now });
    expect(scene.asked).toEqual(['charge', 'find', 'charge', 'find']);
    expect(scene.ended.at(-1)).toBe('ended');
  });

  it('of 0 is captured without any gateway, in an app that has none as well', async () => {
    const scene = chargeScene(new MemoryEventStore());
    scene.charge = DOWN;
    const free = periodCharge({
      ...{ subscriptionId: 'sub_1', amount: { amountMinor: '0', currency: 'USD' } },
      ...{ start: scene.now, number: 2 },
    });
    const paid = await scene.run(0, { charge: { ...FIRST_PERIOD, ...free } });
    expect(paid).toMatchObject({ status: 'SUCCEEDED', capturedAt: scene.now });
    expect([scene.asked, scene.ended]).toEqual([[], ['ended']]);
  });

  it('that cannot be found is made by no one, and asked for later', async () => {
    const scene = chargeScene(new MemoryEventStore());
    scene.charge = DOWN;
    await scene.run();
    scene.find = DOWN;
    expect(await scene.run()).toMatchObject({ status: 'PENDING' });
    expect(scene.asked).toEqual(['charge', 'find']);
    expect(scene.ended).toEqual([expect.any(Number), expect.any(Number)]);
  });
});

/** Rules/payments 17. */
describe('a charge at its bound', () => {
  const WALL_NOW = '2027-02-02T10:00:00.000Z';
  const later = (ms: number) => vi.setSystemTime(Date.parse(WALL_NOW) + ms);
  afterEach(() => {
    vi.useRealTimers();
  });

  /** It was asked for before, and has no outcome; the bound is now, by the clock that is named. */
  async function pendingAtBound(clock: 'app' | 'wall' = 'app') {
    // Only the wall clock is the test's.
    vi.useFakeTimers({ now: Date.parse(WALL_NOW), toFake: ['Date', 'performance'] });
    const scene = chargeScene(new MemoryEventStore());
    scene.charge = pending;
    const at = clock === 'app' ? addHours(scene.now, 48) : wallClock.now();
    const bound = { bound: { clock, at } };
    await scene.run(0, bound);
    if (clock === 'app') scene.now = at;
    scene.asked.length = 0;
    scene.ended.length = 0;
    return { scene, run: (attemptsMade = 0) => scene.run(attemptsMade, bound) };
  }

  /** It is in the ledger and, as far as that tells, was not asked for; the bound is now. */
  async function crashedBeforeGateway() {
    const scene = chargeScene(new MemoryEventStore());
    const bound = { bound: { clock: 'app', at: addHours(scene.now, 48) } } as const;
    scene.charge = DOWN;
    await expect(scene.run(0, bound)).rejects.toBe(DOWN);
    scene.now = bound.bound.at;
    scene.asked.length = 0;
    return { scene, bound };
  }

  it.each(['app', 'wall'] as const)(
    'is found, and given up where it has no outcome, by the %s clock',
    async (clock) => {
      for (const found of [pending, { status: 'unknown' } as const]) {
        const { scene, run } = await pendingAtBound(clock);
        scene.find = found;
        expect(await run()).toMatchObject({
          ...{ status: 'FAILED', failedAt: scene.now },
          decline: { reason: 'issuer_unavailable', declineClass: 'unknown' },
          givenUp: { givenUpAt: scene.now, wallGivenUpAt: WALL_NOW },
        });
        expect(scene.asked).toEqual(['find']);
      }
    },
  );

  it('is settled by what is found', async () => {
    const { scene, run } = await pendingAtBound();
    scene.find = captured;
    expect(await run()).toMatchObject({ status: 'SUCCEEDED', givenUp: null });
    expect(scene.ended).toEqual(['ended']);
  });

  it('is not there yet for a renewal without grace when the gateway has failed once', async () => {
    const scene = chargeScene(new MemoryEventStore());
    const policy = { ...DEFAULT_DUNNING, graceHours: 0, retryAfterHours: [] };
    const at = graceOfPendingCharge(policy, { dueAt: scene.now, chargedAt: scene.now });
    const bound = { bound: { clock: 'app', at } } as const;
    scene.charge = DOWN;
    await expect(scene.run(0, bound)).rejects.toBe(DOWN);
    scene.charge = captured;
    expect(await scene.run(1, bound)).toMatchObject({ status: 'SUCCEEDED' });
    expect(scene.asked).toEqual(['charge', 'find', 'charge']);
  });

  it('is given up without a gateway that is twice out of reach', async () => {
    const { scene, run } = await pendingAtBound();
    scene.find = DOWN;
    await expect(run(0)).rejects.toBe(DOWN);
    expect(await run(1)).toMatchObject({ status: 'FAILED', givenUp: {} });
    expect(scene.asked).toEqual(['find', 'find']);
  });

  it('that was never asked for is asked for once, however late it is', async () => {
    vi.useFakeTimers({ now: Date.parse(WALL_NOW), toFake: ['Date', 'performance'] });
    const scene = chargeScene(new MemoryEventStore());
    const bound = { clock: 'wall', at: addMilliseconds(WALL_NOW, -1) } as const;
    expect(await scene.run(0, { bound })).toMatchObject({ status: 'SUCCEEDED' });
    expect(scene.asked).toEqual(['charge']);
  });

  it.each([
    ['and counts as in time', captured, 'SUCCEEDED', ['find', 'charge']],
    ['and given up where it stays open', pending, 'FAILED', ['find', 'charge', 'find']],
  ])(
    'that a crash has kept from the gateway is asked for once, %s',
    async (_what, outcome, status, asked) => {
      const { scene, bound } = await crashedBeforeGateway();
      scene.charge = outcome;
      expect(await scene.run(0, bound)).toMatchObject({ status });
      expect(scene.asked).toEqual(asked);
    },
  );

  it('that a crash has kept from the gateway is given up when that is out of reach once more', async () => {
    const { scene, bound } = await crashedBeforeGateway();
    await expect(scene.run(0, bound)).rejects.toBe(DOWN);
    expect(await scene.run(1, bound)).toMatchObject({ status: 'FAILED', givenUp: {} });
    expect(scene.asked).toEqual(['find', 'charge', 'find']);
  });

  it('of which a crash has lost that it is open is given up at once', async () => {
    const { scene, bound } = await crashedBeforeGateway();
    scene.find = pending;
    expect(await scene.run(0, bound)).toMatchObject({ status: 'FAILED', givenUp: {} });
    expect(scene.asked).toEqual(['find', 'find']);
  });

  it('is due again at the bound, should that come before the next question', async () => {
    vi.useFakeTimers({ now: Date.parse(WALL_NOW), toFake: ['Date', 'performance'] });
    const scene = chargeScene(new MemoryEventStore());
    scene.charge = pending;
    const bound = { clock: 'wall', at: addMilliseconds(WALL_NOW, 5) } as const;
    await scene.run(0, { bound });
    expect(scene.ended).toEqual([Date.parse(bound.at)]);
  });

  it('and given up is never charged again: it is asked about, ever more seldom, for a month', async () => {
    const { scene, run } = await pendingAtBound();
    await run();
    scene.charge = captured;
    for (const ageMs of [0, 40_000, GIVEN_UP_ASKED_FOR_MS]) {
      later(ageMs);
      expect(await run()).toMatchObject({ status: 'FAILED' });
    }
    const waits = scene.ended.map((at) => Number(at) - Date.parse(WALL_NOW));
    expect(waits[1]).toBeLessThan(2_000);
    expect(waits[2]).toBeGreaterThan(47_000);
    expect(waits[3]).toBeGreaterThan(GIVEN_UP_ASKED_FOR_MS + DAILY_MS / 2);
    later(GIVEN_UP_ASKED_FOR_MS + 1);
    await run();
    expect(scene.ended.at(-1)).toBe('ended');
    expect(new Set(scene.asked)).toEqual(new Set(['find']));
    expect(scene.asked).toHaveLength(4);
  });

  it('and given up is captured after all', async () => {
    const { scene, run } = await pendingAtBound();
    await run();
    scene.find = captured;
    expect(await run()).toMatchObject({ status: 'SUCCEEDED', decline: null, givenUp: {} });
    expect(scene.ended.at(-1)).toBe('ended');
    await run();
    expect(scene.asked).toEqual(['find', 'find']);
  });

  it('and given up is asked about no more when it was declined', async () => {
    const { scene, run } = await pendingAtBound();
    await run();
    const decline = { reason: 'do_not_honor', declineClass: 'soft', rawDeclineCode: '05' } as const;
    scene.find = { status: 'declined', decline, method: captured.method };
    expect(await run()).toMatchObject({
      status: 'FAILED',
      decline: { reason: 'issuer_unavailable' },
    });
    expect(scene.ended.at(-1)).toBe('ended');
  });
});
