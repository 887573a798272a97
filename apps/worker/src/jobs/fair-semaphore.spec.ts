import { describe, expect, it } from '@jest/globals';
import { type Claims, FairSemaphore } from './fair-semaphore.js';

const app = (key: string): Claims => [{ key, weight: 1 }];
const endpoint = (key: string): Claims => [...app('app'), { key, weight: 2 }];

/** As many jobs as there is room for. */
function fill(semaphore: FairSemaphore, claims: Claims): number {
  let taken = 0;
  while (semaphore.tryAcquire(`${claims.at(-1)?.key}-${taken}`, claims)) taken += 1;
  return taken;
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
    expect(semaphore.tryAcquire('a-new', app('a'))).toBe(false);
    expect(fill(semaphore, app('c'))).toBe(1);
  });

  it('are given to what waits in turn, each app with the job that waits longest', () => {
    const semaphore = new FairSemaphore(4, 100);
    for (const id of ['x', 'y', 'z', 'w']) semaphore.tryAcquire(id, app(id));
    for (const id of ['a1', 'a2', 'a3']) semaphore.enqueue(id, app('a'));
    semaphore.enqueue('b1', app('b'));
    expect(semaphore.choose(9)).toBeUndefined();
    for (const id of ['x', 'y', 'z', 'w']) semaphore.release(id);
    const chosen = [1, 2, 3, 4].map(() => semaphore.choose(9));
    expect(chosen).toEqual(['a1', 'b1', 'a2', undefined]);
  });

  it('are looked for among thousands of apps that wait without looking at them all', () => {
    let looks = 0;
    const semaphore = new FairSemaphore(4, 20_000, () => {
      looks += 1;
      return Infinity;
    });
    for (const id of ['x', 'y', 'z', 'w']) semaphore.tryAcquire(id, app(id));
    for (let n = 0; n < 10_000; n += 1) semaphore.enqueue(`job_${n}`, app(`app_${n}`));
    looks = 0;
    expect(semaphore.choose(9)).toBeUndefined();
    semaphore.release('x');
    expect(semaphore.choose(9)).toBe('job_0');
    expect(looks).toBeLessThan(10);
  });

  it('are waited for by so many apps, whatever endpoints of theirs do', () => {
    const semaphore = new FairSemaphore(1, 100);
    semaphore.tryAcquire('x', app('x'));
    for (const key of ['one', 'two', 'three']) semaphore.enqueue(key, endpoint(key));
    semaphore.enqueue('other', app('other'));
    expect(semaphore.waitingApps).toBe(2);
    semaphore.release('x');
    expect(semaphore.choose(9)).toBe('one');
    expect(semaphore.waitingApps).toBe(2);
    semaphore.release('one');
    for (const id of ['two', 'three', 'other']) {
      semaphore.choose(9);
      semaphore.release(id);
    }
    expect(semaphore.waitingApps).toBe(0);
  });

  it('are kept for what was chosen, and for no longer than it may take to come', () => {
    const semaphore = new FairSemaphore(2, 100);
    semaphore.enqueue('late', app('a'));
    expect(semaphore.choose(1_000)).toBe('late');
    semaphore.enqueue('next', app('a'));
    expect(semaphore.choose(1_000)).toBeUndefined();
    semaphore.releaseLate(1_001);
    expect(semaphore.choose(2_000)).toBe('next');
    expect(semaphore.tryAcquire('next', app('a'))).toBe(true);
    semaphore.releaseLate(9_000);
    expect(semaphore.running).toBe(1);
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
    expect(semaphore.tryAcquire('a-1', app('a'))).toBe(true);
    semaphore.enqueue('a-1', app('a'));
    expect(semaphore.waiting).toBe(0);
  });
});
