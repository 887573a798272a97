import { EventEmitter, once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import type { Log } from '#platform';
import type { JobQueue } from './job-queue.js';
import { type JobHandler, JobRunner } from './job-runner.js';

describe('the runner of a queue', () => {
  it('creates no worker once it stops, also when the queue was being measured', async () => {
    const measured = new EventEmitter();
    const jobs = {
      name: 'payments',
      queue: {
        name: 'payments',
        toKey: (state: string) => state,
        getJobCounts: async () => {
          await once(measured, 'now');
          return {};
        },
      },
      connections: {
        redis: {
          lrange: async () => [],
          // A job that has been due for ages: its worker stands still.
          zrangebyscore: async () => ['a job', '0'],
        },
        partition: 0,
      },
    } as unknown as JobQueue<unknown>;
    const errors: unknown[] = [];
    const log = { error: (details: unknown) => errors.push(details) } as unknown as Log;
    const settings = { places: 1, waitingKept: 1, looksPerSecond: 1, lockMs: 1_000 };
    const runner = new JobRunner(jobs, settings, {} as JobHandler<unknown>, log);
    const checked = runner.check();
    await runner.stop();
    measured.emit('now');
    await checked;
    expect(errors).toEqual([]);
  });
});
