import { describe, expect, it } from '@jest/globals';
import { DelayedError, type Job } from 'bullmq';
import { RETURN_AFTER_MIN_MS } from '../limits.js';
import { nextTurn, silent } from '../spec-support/fakes.js';
import { FairJobs } from './fair-jobs.js';
import type { JobQueue } from './job-queue.js';

const PLACES = 4;
const flooding = [{ key: 'flooding', weight: 1 }];
const quiet = [{ key: 'quiet', weight: 1 }];

/** A queue of which it is known what was done to its jobs. */
function create({ isGone = () => false }: { readonly isGone?: (jobId: string) => boolean } = {}) {
  const log: string[] = [];
  const waitsMs: number[] = [];
  const createJob = (id: string) =>
    // What is asked of a job.
    ({
      id,
      moveToDelayed: async (atMs: number) => {
        log.push(`${id} goes back`);
        waitsMs.push(atMs - Date.now());
      },
      promote: async () => void log.push(`${id} is woken`),
    }) as unknown as Job<object>;
  const queue = {
    getJob: async (id: string) => (isGone(id) ? undefined : createJob(id)),
  };
  const jobs = { queue, name: 'payments', connections: { partition: 0 } };
  const settings = { places: PLACES, waitingKept: 10, looksPerSecond: 10 };
  const fair = new FairJobs<object>(jobs as unknown as JobQueue<object>, settings, silent);
  const ends = new Map<string, () => void>();
  const run = (id: string, claims: typeof flooding) =>
    fair.run(createJob(id), 'token', claims, async () => {
      log.push(`${id} runs`);
      await new Promise<void>((resolve) => ends.set(id, resolve));
    });
  const end = async (id: string) => {
    ends.get(id)?.();
    await nextTurn();
  };
  return { fair, log, waitsMs, run, end };
}

describe('a job', () => {
  it('whose app has its share goes back, and the next one of another app runs', async () => {
    const { log, run } = create();
    for (const id of ['f1', 'f2']) void run(id, flooding);
    await expect(run('f3', flooding)).rejects.toThrow(DelayedError);
    void run('q1', quiet);
    expect(log).toEqual(['f1 runs', 'f2 runs', 'f3 goes back', 'q1 runs']);
  });

  it('is woken when there is room for its app, and has a place when it comes', async () => {
    const { log, run, end } = create();
    for (const id of ['f1', 'f2']) void run(id, flooding);
    for (const id of ['f3', 'f4']) await run(id, flooding).catch(() => undefined);
    await end('f1');
    expect(log.slice(4)).toEqual(['f3 is woken']);
    // One that has come just now does not take the place.
    await expect(run('f5', flooding)).rejects.toThrow(DelayedError);
    void run('f3', flooding);
    expect(log.slice(5)).toEqual(['f5 goes back', 'f3 runs']);
    await end('f2');
    expect(log.slice(7)).toEqual(['f4 is woken']);
  });

  it('that goes back comes soon by itself, should this worker stop, however many were woken before it', async () => {
    const { waitsMs, run, end } = create();
    for (const id of ['f0', 'f1']) void run(id, flooding);
    for (let n = 2; n < 200; n += 1) {
      await run(`f${n}`, flooding).catch(() => undefined);
      await end(`f${n - 2}`);
      void run(`f${n}`, flooding);
    }
    expect(waitsMs).toHaveLength(198);
    expect(Math.max(...waitsMs)).toBeLessThan(RETURN_AFTER_MIN_MS + 500);
  });

  it('that is gone when it is to be woken leaves its place to the next one', async () => {
    const { log, run, end } = create({ isGone: (jobId) => jobId === 'f3' });
    for (const id of ['f1', 'f2']) void run(id, flooding);
    for (const id of ['f3', 'f4']) await run(id, flooding).catch(() => undefined);
    await end('f1');
    await nextTurn();
    expect(log.slice(4)).toEqual(['f4 is woken']);
  });

  it('that fails gives its place back, too', async () => {
    const { fair, log, run } = create();
    for (const id of ['f1', 'f2']) {
      const failing = async () => Promise.reject(new Error('the gateway is down'));
      const job = { id } as Job<object>;
      await expect(fair.run(job, 'token', flooding, failing)).rejects.toThrow('down');
    }
    void run('f3', flooding);
    expect(log).toEqual(['f3 runs']);
  });

  it('is not woken any more by a worker that stops', async () => {
    const { fair, log, run, end } = create();
    for (const id of ['f1', 'f2']) void run(id, flooding);
    await run('f3', flooding).catch(() => undefined);
    fair.stop();
    await end('f1');
    fair.check();
    expect(log.slice(2)).toEqual(['f3 goes back']);
  });
});
