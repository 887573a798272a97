import { describe, expect, it } from '@jest/globals';
import type { RunningEndpoint } from '#tenancy';
import type { JobQueue } from '../jobs/job-queue.js';
import { createEvent } from '../spec-support/fakes.js';
import type { DeliveryJobData, OutgoingMessage } from './delivery-job.js';
import { Outbox } from './outbox.js';
import type { QueuedMessage, SubjectQueue } from './subject-queue.js';

const message = (n: number, type = 'subscription.canceled'): OutgoingMessage => ({
  id: `msg_${n}`,
  type,
  subject: 'sub_1',
  sequence: n,
  body: '{}',
  event: createEvent('sub_1', n),
});

const endpoint = (endpointId: string, more: Partial<RunningEndpoint> = {}): RunningEndpoint =>
  // What is not looked at here is left out.
  ({
    endpointId,
    eventTypes: ['*'],
    createdAt: '2025-01-01T00:00:00.000Z',
    ...more,
  }) as RunningEndpoint;

interface Fakes {
  readonly endpoints?: readonly RunningEndpoint[];
  readonly isThere?: (jobId: string) => boolean;
}

function create({ endpoints = [endpoint('whe_1')], isThere = () => false }: Fakes = {}) {
  const log: string[] = [];
  const queue = {
    toKey: (jobId: string) => `key:${jobId}`,
    addBulk: async (jobs: { opts: { jobId: string } }[]) => {
      log.push(...jobs.map(({ opts }) => `job ${opts.jobId}`));
    },
  };
  const subjects = {
    enqueue: async ({ jobId }: QueuedMessage) => {
      log.push(`queue ${jobId}`);
      return !isThere(jobId);
    },
  };
  const outbox = new Outbox(
    { queue } as unknown as JobQueue<DeliveryJobData>,
    subjects as unknown as SubjectQueue,
    { listEndpoints: () => [...endpoints] },
  );
  return { outbox, log };
}

describe('the outbox', () => {
  it('puts messages into their queue and in flight before there are jobs', async () => {
    const { outbox, log } = create();
    await outbox.enqueue([message(1), message(2)]);
    expect(log).toEqual([
      'queue whe_1-msg_1',
      'queue whe_1-msg_2',
      'job whe_1-msg_1',
      'job whe_1-msg_2',
    ]);
  });

  it('adds no job where one is there: messages that come again are sent once', async () => {
    const { outbox, log } = create({ isThere: (jobId) => jobId === 'whe_1-msg_1' });
    await outbox.enqueue([message(1), message(2)]);
    expect(log.filter((line) => line.startsWith('job'))).toEqual(['job whe_1-msg_2']);
  });

  it('takes the endpoints that want the type, and were there when it happened', async () => {
    const late = endpoint('whe_late', { createdAt: '2026-06-01T00:00:00.000Z' });
    const other = endpoint('whe_other', { eventTypes: ['payment.*'] });
    const { outbox, log } = create({ endpoints: [late, other, endpoint('whe_1')] });
    await outbox.enqueue([message(1)]);
    expect(log).toEqual(['queue whe_1-msg_1', 'job whe_1-msg_1']);
  });

  it('takes one endpoint alone where what it had in flight is begun again', async () => {
    const { outbox, log } = create({ endpoints: [endpoint('whe_1'), endpoint('whe_2')] });
    await outbox.enqueue([message(1)], 'whe_2');
    expect(log).toEqual(['queue whe_2-msg_1', 'job whe_2-msg_1']);
  });
});
