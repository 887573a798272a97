import { describe, expect, it } from '@jest/globals';
import { silent } from '../spec-support/fakes.js';
import type { DeliveryHandler } from './delivery-handler.js';
import type { DeliveryQueue } from './delivery-queue.js';
import { DeliverySweep } from './delivery-sweep.js';
import type { QueuedMessage } from './queued-message.js';
import type { SubjectQueue } from './subject-queue.js';

interface Fakes {
  /** The jobs that must be there, in order. */
  readonly expected: readonly string[];
  /** What BullMQ has of them. */
  readonly jobs?: Readonly<Record<string, { readonly finishedOn?: number }>>;
  /** Those that ended while they were looked at. */
  readonly ended?: readonly string[];
  /** The one that cannot be looked at. */
  readonly broken?: string;
}

function create({ expected, jobs = {}, ended = [], broken }: Fakes) {
  const log: string[] = [];
  const subjects: Partial<SubjectQueue> = {
    listExpectedJobs: async (after, limit) => expected.filter((id) => id > after).slice(0, limit),
    load: async (jobId) => {
      const [endpointId = '', messageId = ''] = jobId.split('-');
      // What is not looked at here is left out.
      const message = { endpointId, messageId, enqueuedAtMs: 7 } as QueuedMessage;
      return ended.includes(jobId) ? undefined : message;
    },
  };
  const queue = {
    getJob: async (jobId: string) => {
      if (jobId === broken) throw new Error('broken');
      return jobs[jobId] === undefined ? undefined : { id: jobId, ...jobs[jobId] };
    },
    addBulk: async (added: { opts: { jobId: string; timestamp: number } }[]) => {
      log.push(...added.map(({ opts }) => `add ${opts.jobId} of ${opts.timestamp}`));
    },
  };
  const handler: Partial<DeliveryHandler> = {
    onExhausted: async ({ id }) => void log.push(`end ${id}`),
  };
  const sweep = new DeliverySweep(
    { queue } as unknown as DeliveryQueue,
    subjects as SubjectQueue,
    handler as DeliveryHandler,
    silent,
  );
  return { sweep, log };
}

describe('the sweep over deliveries', () => {
  it('adds the job of a message that has none, with the age of the message', async () => {
    const { sweep, log } = create({ expected: ['w-1', 'w-2'], jobs: { 'w-1': {} } });
    await sweep.sweep();
    expect(log).toEqual(['add w-2 of 7']);
  });

  it('adds no job for a message that ended meanwhile', async () => {
    const { sweep, log } = create({ expected: ['w-1'], ended: ['w-1'] });
    await sweep.sweep();
    expect(log).toEqual([]);
  });

  it('ends a message whose job is exhausted, where the worker that saw it was killed', async () => {
    const { sweep, log } = create({ expected: ['w-1'], jobs: { 'w-1': { finishedOn: 1 } } });
    await sweep.sweep();
    expect(log).toEqual(['end w-1']);
  });

  it('looks at one page after the other, and then at the first again', async () => {
    const { sweep, log } = create({ expected: ['w-1', 'w-2', 'w-3'] });
    for (let n = 0; n < 3; n += 1) await sweep.sweep(2);
    const added = ['w-1', 'w-2', 'w-3', 'w-1', 'w-2'];
    expect(log).toEqual(added.map((id) => `add ${id} of 7`));
  });

  it('goes on behind a page that fails', async () => {
    const { sweep, log } = create({ expected: ['w-1', 'w-2'], broken: 'w-1' });
    await expect(sweep.sweep(1)).rejects.toThrow('broken');
    await sweep.sweep(1);
    expect(log).toEqual(['add w-2 of 7']);
  });
});
