import { describe, expect, it } from 'vitest';
import { Progress } from './progress.js';
import { START } from '../streams/position.js';

const at = (position: number) => String(position).padStart(20, '0');

describe('the progress of a follower', () => {
  it('wakes those who wait for what it has reached, and no others', async () => {
    const progress = new Progress('following');
    const woken: string[] = [];
    const wait = (position: string) =>
      progress.waitFor(position, 1000).then(() => woken.push(position));
    const waiting = [wait(at(1)), wait(at(2)), wait(at(3))];
    expect(progress.position).toBe(START);
    progress.reach(at(2));
    await Promise.all(waiting.slice(0, 2));
    expect(woken).toEqual([at(1), at(2)]);
    progress.reach(at(7));
    await waiting[2];
    await wait(at(7));
    expect(woken).toEqual([at(1), at(2), at(3), at(7)]);
  });

  it('gives up after the limit, as a fault worth another try', async () => {
    const progress = new Progress('following the apps');
    await expect(progress.waitFor(at(1), 5)).rejects.toMatchObject({
      code: 'unavailable',
      retryable: true,
      message: 'following the apps did not answer within 5 ms',
    });
  });
});
