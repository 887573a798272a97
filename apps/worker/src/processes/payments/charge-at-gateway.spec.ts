import { describe, expect, it } from '@jest/globals';
import { addHours } from '#domain/calendar';
import { MemoryEventStore } from '../../../../../test/support/memory-event-store.js';
import { captured, chargeScene, DOWN, pending } from './spec-support/charge-scene.js';

describe('a charge', () => {
  it('is asked for again under its key while that lives, and found behind it', async () => {
    const scene = chargeScene(new MemoryEventStore());
    scene.charge = pending;
    expect(await scene.run()).toMatchObject({ status: 'PENDING', pendingSince: scene.now });
    await scene.run();
    expect(scene.asked).toEqual(['charge', 'charge']);
    // The key's life counts from the event that asked for the charge, by the app's clock.
    scene.now = addHours(scene.now, 24);
    scene.find = captured;
    expect(await scene.run()).toMatchObject({ status: 'SUCCEEDED', capturedAt: scene.now });
    expect(scene.asked).toEqual(['charge', 'charge', 'find']);
    expect(scene.ended.at(-1)).toBe('ended');
  });

  it('that cannot be found is made by no one, and asked for later', async () => {
    const scene = chargeScene(new MemoryEventStore());
    scene.charge = DOWN;
    await scene.run();
    scene.now = addHours(scene.now, 24);
    scene.find = DOWN;
    expect(await scene.run()).toMatchObject({ status: 'PENDING' });
    expect(scene.asked).toEqual(['charge', 'find']);
    expect(scene.ended).toEqual([expect.any(Number), expect.any(Number)]);
  });
});
