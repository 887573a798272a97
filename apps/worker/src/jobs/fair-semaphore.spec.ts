import { describe, expect, it } from '@jest/globals';
import { type Claims, FairSemaphore } from './fair-semaphore.js';

const app = (key: string): Claims => [{ key, weight: 1 }];
const endpoint = (key: string): Claims => [...app('app'), { key, weight: 2 }];

/** Has a key take all the places that it may have. @returns how many. */
function fill(semaphore: FairSemaphore, claims: Claims): number {
  const { key = '' } = claims.at(-1) ?? {};
  let taken = 0;
  semaphore.enqueue(`${key}-0`, claims);
  while (semaphore.choose() === `${key}-${taken}`) {
    taken += 1;
    semaphore.enqueue(`${key}-${taken}`, claims);
  }
  return taken;
}

/** One job for each of these apps runs. */
function run(semaphore: FairSemaphore, ids: readonly string[]): void {
  for (const id of ids) semaphore.enqueue(id, app(id));
  for (const id of ids) expect(semaphore.choose()).toBe(id);
}

describe('the places of a queue', () => {
  it('are left free for others: half of them by one app, a third by two, and so on', () => {
    const semaphore = new FairSemaphore(16, 100);
    expect(['a', 'b', 'c', 'd', 'e'].map((key) => fill(semaphore, app(key)))).toEqual([
      8, 4, 2, 1, 1,
    ]);
  });

  it('are a third for one endpoint, so that others of its app go on', () => {
    const semaphore = new FairSemaphore(16, 100);
    expect(fill(semaphore, endpoint('dead'))).toBe(6);
    expect(fill(semaphore, endpoint('alive'))).toBe(2);
    expect(fill(semaphore, app('other'))).toBe(4);
  });

  it('are no more for one app than the window says, and never none for an app that has none', () => {
    let window = 2;
    const semaphore = new FairSemaphore(16, 100, () => window);
    expect(['a', 'b'].map((key) => fill(semaphore, app(key)))).toEqual([2, 2]);
    window = 1;
    semaphore.release('a-0');
    expect(semaphore.choose()).toBeUndefined();
    expect(fill(semaphore, app('c'))).toBe(1);
    semaphore.release('a-1');
    expect(semaphore.choose()).toBe('a-2');
  });

  it('are given to what waits in turn, each app with the job that waits longest', () => {
    const semaphore = new FairSemaphore(4, 100);
    run(semaphore, ['x', 'y', 'z', 'w']);
    for (const id of ['a1', 'a2', 'a3']) semaphore.enqueue(id, app('a'));
    semaphore.enqueue('b1', app('b'));
    expect(semaphore.choose()).toBeUndefined();
    for (const id of ['x', 'y', 'z', 'w']) semaphore.release(id);
    const chosen = [1, 2, 3, 4].map(() => semaphore.choose());
    expect(chosen).toEqual(['a1', 'b1', 'a2', undefined]);
  });

  it('are looked for among thousands of apps that wait without looking at them all', () => {
    let looks = 0;
    const semaphore = new FairSemaphore(4, 20_000, () => {
      looks += 1;
      return Infinity;
    });
    run(semaphore, ['x', 'y', 'z', 'w']);
    for (let n = 0; n < 10_000; n += 1) semaphore.enqueue(`job_${n}`, app(`app_${n}`));
    looks = 0;
    expect(semaphore.choose()).toBeUndefined();
    semaphore.release('x');
    expect(semaphore.choose()).toBe('job_0');
    expect(looks).toBeLessThan(10);
  });
});

describe('the memory of what waits', () => {
  it('is bounded, and no app has all of it', () => {
    const semaphore = new FairSemaphore(2, 8);
    const remembered = (key: string) =>
      Array.from({ length: 20 }, (_, n) => semaphore.enqueue(`${key}-${n}`, app(key))).filter(
        Boolean,
      ).length;
    expect(['a', 'b', 'c', 'd', 'e', 'f'].map(remembered)).toEqual([4, 2, 1, 1, 0, 0]);
  });

  it('has a job once, and not while it runs', () => {
    const semaphore = new FairSemaphore(4, 8);
    semaphore.enqueue('a-1', app('a'));
    semaphore.enqueue('a-1', app('a'));
    expect(semaphore.waiting).toBe(1);
    expect(semaphore.choose()).toBe('a-1');
    semaphore.enqueue('a-1', app('a'));
    expect([semaphore.waiting, semaphore.choose()]).toEqual([0, undefined]);
  });
});
