import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Claims, FairSemaphore } from './fair-semaphore.js';

const PLACES = 16;
const WAITING_KEPT = 40;
const FOR_EVER_MS = Number.MAX_SAFE_INTEGER;

const job = fc.record({
  app: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  endpoint: fc.constantFrom('1', '2'),
});
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('come' as const), job }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('end' as const), nth: fc.nat(PLACES) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const claimsFor = ({ app, endpoint }: { app: string; endpoint: string }): Claims => [
  { key: app, weight: 1 },
  { key: `${app}${endpoint}`, weight: 2 },
];

/** The queue around the semaphore: what is refused comes again when it is chosen, or at the very end. */
class Queue {
  readonly semaphore = new FairSemaphore(PLACES, WAITING_KEPT);
  readonly running = new Map<string, Claims>();
  readonly refused = new Map<string, Claims>();
  readonly done = new Set<string>();
  #count = 0;

  come(claims: Claims, jobId = `job-${this.#count++}`): void {
    const running = this.count(claims);
    const free = PLACES - this.running.size;
    const isTaken = this.semaphore.tryAcquire(jobId, claims);
    const mayRun = claims.every(({ weight }, at) => weight * (running[at] ?? 0) < free);
    expect(isTaken).toBe(mayRun);
    if (isTaken) {
      this.refused.delete(jobId);
      this.running.set(jobId, claims);
      return;
    }
    this.refused.set(jobId, claims);
    this.semaphore.enqueue(jobId, claims);
    this.wake();
  }

  end(nth: number): void {
    const jobId = [...this.running.keys()][nth % Math.max(1, this.running.size)];
    if (jobId === undefined) return;
    this.running.delete(jobId);
    this.done.add(jobId);
    this.semaphore.release(jobId);
    this.wake();
  }

  wake(): void {
    for (let woken; (woken = this.semaphore.choose(FOR_EVER_MS)) !== undefined;) {
      const claims = this.refused.get(woken);
      // What is chosen had been refused, and does not run.
      if (claims === undefined) throw new Error(`${woken} was chosen, and does not wait`);
      expect(this.semaphore.tryAcquire(woken, claims)).toBe(true);
      this.refused.delete(woken);
      this.running.set(woken, claims);
    }
  }

  count(claims: Claims): number[] {
    const all = [...this.running.values()];
    return claims.map(
      ({ key }) => all.filter((each) => each.some((one) => one.key === key)).length,
    );
  }

  get total(): number {
    return this.running.size + this.refused.size + this.done.size;
  }
}

describe('a fair semaphore', () => {
  it('keeps every share, and forgets no job, however they come and end', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 120 }), (steps: Step[]) => {
        const queue = new Queue();
        let came = 0;
        for (const one of steps) {
          if (one.kind === 'end') queue.end(one.nth);
          else queue.come(claimsFor(one.job));
          came += one.kind === 'come' ? 1 : 0;
          expect(queue.semaphore.running).toBe(queue.running.size);
          expect(queue.running.size).toBeLessThanOrEqual(PLACES);
          expect(queue.semaphore.waiting).toBeLessThanOrEqual(WAITING_KEPT);
          expect(queue.total).toBe(came);
        }
        // Nothing new comes: all that is remembered runs, one after the other, and what is not comes again.
        for (let round = 0; queue.done.size < came && round < came * 10; round += 1) {
          queue.end(round);
          for (const [jobId, claims] of [...queue.refused]) queue.come(claims, jobId);
        }
        expect(queue.done.size).toBe(came);
        expect([queue.semaphore.waiting, queue.semaphore.running]).toEqual([0, 0]);
      }),
      { numRuns: 60 },
    );
  });
});
