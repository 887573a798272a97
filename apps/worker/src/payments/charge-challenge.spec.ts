import { afterEach, describe, expect, it, vi } from 'vitest';
import { addHours, addMilliseconds } from '#domain/calendar';
import { MemoryEventStore } from '../../../../test/support/memory-event-store.js';
import { silent } from '../spec-support/fakes.js';
import {
  ASKED_AT,
  captured,
  causation,
  chargeScene,
  DOWN,
  FIRST_PERIOD,
} from './spec-support/charge-scene.js';
import { addresses } from './spec-support/payment-handler.js';

/** Rules/payments 19. */
describe('a charge that the player has to confirm', () => {
  const challenge = { status: 'challenge', url: 'https://bank.example/1' } as const;
  afterEach(() => {
    vi.useRealTimers();
  });

  it('says so once, knows the way back, and is asked about until it has its outcome', async () => {
    const scene = chargeScene(new MemoryEventStore());
    scene.charge = challenge;
    const first = await scene.run(0, { charge: FIRST_PERIOD });
    expect(first).toMatchObject({ status: 'PENDING', challengedAt: scene.now });
    expect(scene.charges).toMatchObject([
      { offSession: false, returnUrl: 'https://pay.example/checkout/cl_1' },
    ]);
    scene.find = challenge;
    expect(await scene.run(0, { charge: FIRST_PERIOD })).toEqual(first);
    expect(scene.asked).toEqual(['charge', 'find']);
    expect(scene.ended).toEqual([expect.any(Number), expect.any(Number)]);
    scene.find = captured;
    expect(await scene.run(0, { charge: FIRST_PERIOD })).toMatchObject({ status: 'SUCCEEDED' });
    expect(scene.ended.at(-1)).toBe('ended');
  });

  it('learns of it when the worker was killed before it had stored the answer', async () => {
    const store = new MemoryEventStore();
    const before = chargeScene(store);
    before.charge = DOWN;
    await before.run(1, { charge: FIRST_PERIOD });
    const scene = chargeScene(store);
    scene.find = challenge;
    expect(await scene.run(0, { charge: FIRST_PERIOD })).toMatchObject({
      challengedAt: scene.now,
    });
    expect(scene.asked).toEqual(['find']);
  });

  it('is given up at its bound, and goes back where it is confirmed after that', async () => {
    const scene = chargeScene(new MemoryEventStore());
    scene.charge = challenge;
    const bound = { clock: 'app', at: addHours(scene.now, 24) } as const;
    await scene.run(0, { charge: FIRST_PERIOD, bound });
    scene.find = challenge;
    scene.now = bound.at;
    const errors = vi.spyOn(silent, 'error');
    expect(await scene.run(0, { charge: FIRST_PERIOD, bound })).toMatchObject({
      ...{ status: 'FAILED', givenUp: { givenUpAt: bound.at } },
      decline: { reason: 'issuer_unavailable' },
    });
    // A player who closes the page is no error.
    expect(errors).not.toHaveBeenCalled();
    errors.mockRestore();
    scene.find = captured;
    expect(await scene.run(0, { charge: FIRST_PERIOD, bound })).toMatchObject({
      status: 'SUCCEEDED',
      givenUp: { givenUpAt: bound.at },
    });
  });

  it('is nowhere stored with its address in the clear, which is a credential', async () => {
    const store = new MemoryEventStore();
    const scene = chargeScene(store);
    scene.charge = challenge;
    const payment = await scene.run(0, { charge: FIRST_PERIOD });
    const stored = [];
    for await (const event of store.readStream('payment-pay_1')) stored.push(event);
    expect(JSON.stringify(stored)).not.toContain('bank.example');
    const { data } = stored.at(-1) as { data: { sealedUrl: string } };
    expect(addresses.open(payment, data.sealedUrl)).toBe(challenge.url);
  });

  it('is asked about ever more seldom, also where the clock of the app is ahead', async () => {
    vi.useFakeTimers({ now: Date.parse(ASKED_AT), toFake: ['Date', 'performance'] });
    const scene = chargeScene(new MemoryEventStore());
    scene.now = addHours(ASKED_AT, 30 * 24);
    const data = { charge: FIRST_PERIOD, causation: { ...causation, occurredAt: scene.now } };
    scene.charge = challenge;
    await scene.run(0, data);
    scene.find = challenge;
    for (const minutes of [2, 12 * 60]) {
      vi.setSystemTime(Date.parse(ASKED_AT) + minutes * 60_000);
      scene.now = addMilliseconds(data.causation.occurredAt, minutes * 60_000);
      await scene.run(0, data);
      scene.ended.push(Number(scene.ended.pop()) - Date.now());
    }
    const [first, afterMinutes, afterHours] = scene.ended.map(Number);
    expect(first).toBeLessThan(Date.parse(ASKED_AT) + 2_000);
    expect(Math.abs((afterMinutes ?? 0) - 30_000)).toBeLessThanOrEqual(6_000);
    expect(Math.abs((afterHours ?? 0) - 600_000)).toBeLessThanOrEqual(120_000);
  });

  it('of a renewal does not know a way back, since the player is not there', async () => {
    const scene = chargeScene(new MemoryEventStore());
    await scene.run(0);
    expect(scene.charges).toMatchObject([{ offSession: true }]);
    expect(scene.charges[0]).not.toHaveProperty('returnUrl');
  });
});
