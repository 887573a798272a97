import { describe, expect, it } from '@jest/globals';
import type { RunningEndpoint } from '#tenancy';
import type { JobQueue } from '../jobs/job-queue.js';
import { Fenced } from '#projection-engine';
import { createEvent, createLease } from '../spec-support/fakes.js';
import type { DeliveryJobData } from './delivery-job.js';
import { Outbox } from './outbox.js';
import type { OutgoingMessage } from './outgoing-message.js';
import { deliveryJobId, type QueuedMessage } from './queued-message.js';
import type { SubjectQueue } from './subject-queue.js';

const message = (n: number, type = 'subscription.canceled'): OutgoingMessage => ({
  id: `msg_${n}`,
  type,
  subject: 'sub_1',
  sequence: n,
  player: 'player-1',
  sealedBody: 'p1.sealed',
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
  readonly hasEnded?: (jobId: string) => boolean;
  readonly isFenced?: boolean;
}

function create({
  endpoints = [endpoint('whe_1')],
  hasEnded = () => false,
  isFenced = false,
}: Fakes = {}) {
  const log: string[] = [];
  const data: object[] = [];
  const queue = {
    addBulk: async (jobs: { opts: { jobId: string }; data: object }[]) => {
      log.push(...jobs.map(({ opts }) => `job ${opts.jobId}`));
      data.push(...jobs.map((job) => job.data));
    },
  };
  const subjects = {
    enqueue: async (queued: QueuedMessage) => {
      const jobId = deliveryJobId(queued);
      if (isFenced) throw new Fenced(createLease().fence);
      log.push(`queue ${jobId}`);
      return !hasEnded(jobId);
    },
  };
  const outbox = new Outbox(
    { queue } as unknown as JobQueue<DeliveryJobData>,
    subjects as unknown as SubjectQueue,
    { listEndpoints: async () => [...endpoints] },
  );
  return { outbox, log, data };
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

  it('adds no job for what has ended: messages that come again are sent once', async () => {
    const { outbox, log } = create({ hasEnded: (jobId) => jobId === 'whe_1-msg_1' });
    await outbox.enqueue([message(1), message(2)]);
    expect(log.filter((line) => line.startsWith('job'))).toEqual(['job whe_1-msg_2']);
  });

  it('gives a job nothing but what names its message, and whose it is', async () => {
    const { outbox, data } = create();
    await outbox.enqueue([message(1)]);
    expect(data).toEqual([{ appId: 'app_1', endpointId: 'whe_1', messageId: 'msg_1' }]);
  });

  it('adds no job where it may not enqueue', async () => {
    const { outbox, log } = create({ isFenced: true });
    await expect(outbox.enqueue([message(1)])).rejects.toThrow(Fenced);
    expect(log).toEqual([]);
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
