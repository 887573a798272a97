import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { SharedTokens } from '#endpoint-state';
import { PACED_AT_LEAST_MS } from '../limits.js';
import { EndpointPacing } from './endpoint-pacing.js';
import { EndpointQueue } from './endpoint-queue.js';

function create() {
  const waits: number[] = [];
  const take = jest.fn(async () => waits.shift() ?? 0);
  const pacing = new EndpointPacing({ take } as Partial<SharedTokens> as SharedTokens);
  const queue = new EndpointQueue('whe_1', 'app_1');
  const room: string[] = [];
  pacing.onRoom((endpointId) => void room.push(endpointId));
  const offer = () => {
    const hasRoom = pacing.hasRoom(queue);
    if (hasRoom) queue.offered += 1;
    return hasRoom;
  };
  return { pacing, queue, waits, take, room, offer };
}

describe('the pace of attempts at an endpoint', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('is that of its deliveries where no bound is known', () => {
    const { offer } = create();
    expect([offer(), offer(), offer()]).toEqual([true, true, true]);
  });

  it('lets few ask at once, and the next ones when these have their tokens', async () => {
    const { pacing, offer, room } = create();
    offer();
    expect(await pacing.admit('whe_1', 10, 'm1')).toBe(true);
    expect(room).toEqual(['whe_1']);
    expect([offer(), offer()]).toEqual([true, false]);
    expect(await pacing.admit('whe_1', 10, 'm2')).toBe(true);
    expect(offer()).toBe(true);
  });

  it('waits until there is a token, and asks for none meanwhile', async () => {
    const { pacing, waits, take, room, offer, queue } = create();
    waits.push(400);
    offer();
    expect(await pacing.admit('whe_1', 1, 'm1')).toBe(false);
    queue.offered -= 1;
    expect([offer(), await pacing.admit('whe_1', 1, 'm2')]).toEqual([false, false]);
    expect(take).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(399);
    expect(room).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect([room, offer()]).toEqual([['whe_1'], true]);
  });

  it('is not asked for in vain a thousand times a second', async () => {
    const { pacing, waits, room } = create();
    waits.push(1);
    await pacing.admit('whe_1', 1, 'm1');
    await jest.advanceTimersByTimeAsync(PACED_AT_LEAST_MS - 1);
    expect(room).toEqual([]);
  });

  it('counts no attempt that has ended', async () => {
    const { pacing, queue, offer } = create();
    offer();
    await pacing.admit('whe_1', 1, 'm1');
    pacing.leave('whe_1', 'm1');
    expect(offer()).toBe(false);
    queue.offered -= 1;
    expect(offer()).toBe(true);
  });
});
