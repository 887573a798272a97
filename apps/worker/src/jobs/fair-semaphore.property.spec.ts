import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Claims, FairSemaphore } from './fair-semaphore.js';

const PLACES = 16;
const WAITING_KEPT = 40;

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

/** The queue around the semaphore: what there is no room for in memory comes again. */
class Queue {
  readonly semaphore = new FairSemaphore(PLACES, WAITING_KEPT);
  readonly running = new Map<string, Claims>();
  readonly waiting = new Map<string, Claims>();
  readonly refused = new Map<string, Claims>();
  readonly done = new Set<string>();
  #count = 0;

  come(claims: Claims, jobId = `job-${this.#count++}`): void {
    const isRemembered = this.semaphore.enqueue(jobId, claims);
    this.refused.delete(jobId);
    (isRemembered ? this.waiting : this.refused).set(jobId, claims);
    this.choose();
  }

  end(nth: number): void {
    const jobId = [...this.running.keys()][nth % Math.max(1, this.running.size)];
    if (jobId === undefined) return;
    this.running.delete(jobId);
    this.done.add(jobId);
    this.semaphore.release(jobId);
    this.choose();
  }

  choose(): void {
    for (let chosen; (chosen = this.semaphore.choose()) !== undefined;) {
      const claims = this.waiting.get(chosen);
      if (claims === undefined) throw new Error(`${chosen} was chosen, and does not wait`);
      expect(this.mayRun(claims)).toBe(true);
      this.waiting.delete(chosen);
      this.running.set(chosen, claims);
    }
    // None was passed over.
    expect([...this.waiting.values()].filter((claims) => this.mayRun(claims))).toEqual([]);
  }

  mayRun(claims: Claims): boolean {
    const free = PLACES - this.running.size;
    const all = [...this.running.values()];
    return claims.every(({ key, weight }) => {
      const running = all.filter((each) => each.some((one) => one.key === key)).length;
      return weight * running < free;
    });
  }

  get total(): number {
    return this.running.size + this.waiting.size + this.refused.size + this.done.size;
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
          expect(queue.semaphore.waiting).toBe(queue.waiting.size);
          expect(queue.running.size).toBeLessThanOrEqual(PLACES);
          expect(queue.waiting.size).toBeLessThanOrEqual(WAITING_KEPT);
          expect(queue.total).toBe(came);
        }
        // Nothing new comes: all that is remembered runs, one after the other, and what is not comes again.
        for (let round = 0; queue.done.size < came && round < came * 10; round += 1) {
          queue.end(round);
          for (const [jobId, claims] of [...queue.refused]) queue.come(claims, jobId);
        }
        expect(queue.done.size).toBe(came);
        expect([queue.waiting.size, queue.running.size]).toEqual([0, 0]);
      }),
      { numRuns: 60 },
    );
  });
});
