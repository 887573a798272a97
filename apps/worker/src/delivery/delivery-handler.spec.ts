import { describe, expect, it } from '@jest/globals';
import { DelayedError, type Job, UnrecoverableError } from 'bullmq';
import type { ExhaustedDelivery } from '#checkpoint-backup';
import { Fault } from '#platform';
import type { RunningEndpoint } from '#tenancy';
import { HOLD_BACK_MS } from '../limits.js';
import { Fenced } from '#projection-engine';
import { createLease } from '../spec-support/fakes.js';
import type { DeliveryAttempt } from './delivery-attempt.js';
import { DeliveryHandler } from './delivery-handler.js';
import type { DeliveryJobData } from './delivery-job.js';
import type { HeldMessages } from './held-messages.js';
import type { MessageBodies } from './message-bodies.js';
import type { QueuedMessage } from './queued-message.js';
import { DeliveryFailed } from './send.js';
import type { Place, SubjectQueue } from './subject-queue.js';

interface Fakes {
  /** Where the message stands, each time that it is asked; the last holds on. */
  readonly places?: readonly Place[];
  readonly attempt?: () => Promise<void>;
  readonly isDeleted?: boolean;
  /** What looking its endpoint up fails with. */
  readonly unknown?: Error;
  /** Whether its player was erased since it was made. */
  readonly isErased?: boolean;
  /** Whether there is a message by the name that the job carries. */
  readonly isThere?: boolean;
  /** What a look at its place and its end fail with. */
  readonly fault?: Error;
}

const found = { endpointId: 'whe_1' } as RunningEndpoint;

const message = {
  ...{ endpointId: 'whe_1', messageId: 'msg_1', appId: 'app_1', type: 'subscription.created' },
  inFlight: 'position whe_1 subscription-sub_1 0 msg_1',
} as QueuedMessage;

function create(fakes: Fakes) {
  const { places = ['first'], attempt, isDeleted = false, isThere = true, fault, unknown } = fakes;
  const { isErased = false } = fakes;
  const log: string[] = [];
  let asked = 0;
  const subjects = {
    load: async (jobId: string) => (isThere && jobId === 'whe_1-msg_1' ? message : undefined),
    findPlace: async () => places[Math.min(asked++, places.length - 1)] as Place,
    remove: async (_: unknown, givenUp?: ExhaustedDelivery) => {
      if (fault !== undefined) throw fault;
      log.push(givenUp === undefined ? 'remove' : `give up: ${givenUp.reason}`);
      return 'next';
    },
    stepAside: async () => {
      log.push('step aside');
      return 'next';
    },
  };
  const held = {
    delay: async (_: unknown, __: string, delayMs: number) => void log.push(`delay ${delayMs > 0}`),
    delayed: () => new DelayedError(),
    wake: async (jobId: string) => void log.push(`wake ${jobId}`),
  };
  const attempts = {
    make: async () => {
      log.push('attempt');
      await attempt?.();
    },
  };
  const handler = new DeliveryHandler(
    subjects as unknown as SubjectQueue,
    held as unknown as HeldMessages,
    attempts as unknown as DeliveryAttempt,
    { open: async () => (isErased ? undefined : '{}') } as unknown as MessageBodies,
    {
      findEndpoint: async () => {
        if (unknown !== undefined) throw unknown;
        return isDeleted ? undefined : found;
      },
    },
  );
  return { handler, log };
}

const createJob = (ageMs = 0) =>
  // What a handler looks at.
  ({
    id: 'job-1',
    data: { endpointId: 'whe_1', messageId: 'msg_1' },
    attemptsMade: 0,
    failedReason: 'the receiver answered 503',
    timestamp: Date.now() - ageMs,
  }) as Job<DeliveryJobData>;
const going = new AbortController().signal;
const failed = new DeliveryFailed('the receiver answered 500');

describe('the delivery of a message', () => {
  it('that is first ends it, and wakes the next of its subject', async () => {
    const { handler, log } = create({});
    await handler.process(createJob(), 't', going);
    expect(log).toEqual(['attempt', 'remove', 'wake next']);
  });

  it('about a player who was erased meanwhile is given up without an attempt, and says why', async () => {
    const { handler, log } = create({ isErased: true });
    await handler.process(createJob(), 't', going);
    expect(log).toEqual(['give up: the player was erased', 'wake next']);
  });

  it('waits while an earlier one of its subject is there', async () => {
    const { handler, log } = create({ places: ['behind'] });
    await expect(handler.process(createJob(), 't', going)).rejects.toThrow(DelayedError);
    expect(log).toEqual(['delay true']);
  });

  it('is woken at once when the earlier one ended while it was put back', async () => {
    const { handler, log } = create({ places: ['behind', 'first'] });
    await expect(handler.process(createJob(), 't', going)).rejects.toThrow(DelayedError);
    expect(log).toEqual(['delay true', 'wake job-1']);
  });

  it('waits no longer than an earlier one may hold it back', async () => {
    const { handler, log } = create({ places: ['behind'] });
    await handler.process(createJob(HOLD_BACK_MS), 't', going);
    expect(log).toEqual(['attempt', 'remove', 'wake next']);
  });

  it('goes back as it was where the store is away, and its endpoint or its app is not known', async () => {
    const away = new Fault('unavailable', 'the store is away', { retryable: true });
    const unknown = create({ unknown: away });
    await expect(unknown.handler.process(createJob(), 't', going)).rejects.toThrow(DelayedError);
    expect(unknown.log).toEqual(['delay true']);
    const ofApp = create({ attempt: async () => Promise.reject(away) });
    await expect(ofApp.handler.process(createJob(), 't', going)).rejects.toThrow(DelayedError);
    expect(ofApp.log).toEqual(['attempt', 'delay true']);
    const sealed = new Fault('undecodable', 'sealed for another app', { retryable: false });
    const broken = create({ unknown: sealed });
    await expect(broken.handler.process(createJob(), 't', going)).rejects.toThrow(sealed);
    expect(broken.log).toEqual([]);
  });

  it('is not made again for one that has ended', async () => {
    const { handler, log } = create({ places: ['ended'] });
    await handler.process(createJob(), 't', going);
    expect(log).toEqual([]);
  });

  it('is not made for a job without a message, which ends quietly', async () => {
    const { handler, log } = create({ isThere: false });
    await handler.process(createJob(), 't', going);
    await handler.onExhausted(createJob());
    expect(log).toEqual([]);
  });

  it('that may not be ended here goes back as it was, and counts as no failed attempt', async () => {
    const { handler, log } = create({ fault: new Fenced(createLease().fence) });
    await expect(handler.process(createJob(), 't', going)).rejects.toThrow(DelayedError);
    expect(log).toEqual(['attempt', 'delay true']);
  });

  it('that fails keeps its place while the next attempt is near', async () => {
    const { handler, log } = create({ attempt: () => Promise.reject(failed) });
    await expect(handler.process(createJob(), 't', going)).rejects.toBe(failed);
    expect(log).toEqual(['attempt']);
  });

  it('that fails lets later ones pass when the next attempt is far off', async () => {
    const { handler, log } = create({ attempt: () => Promise.reject(failed) });
    await expect(handler.process(createJob(HOLD_BACK_MS), 't', going)).rejects.toBe(failed);
    expect(log).toEqual(['attempt', 'step aside', 'wake next']);
  });

  it('is given up for good when the receiver is gone', async () => {
    const gone = new DeliveryFailed('the receiver answered 410', true);
    const { handler } = create({ attempt: () => Promise.reject(gone) });
    await expect(handler.process(createJob(), 't', going)).rejects.toThrow(UnrecoverableError);
  });

  it('goes back as it was when a stop cuts it off', async () => {
    const stopping = AbortSignal.abort();
    const { handler, log } = create({ attempt: () => Promise.reject(failed) });
    await expect(handler.process(createJob(), 't', stopping)).rejects.toThrow(DelayedError);
    expect(log).toEqual(['attempt', 'delay true']);
  });

  it('is given up with a short reason, whatever its last attempt failed with', async () => {
    const { handler, log } = create({});
    await handler.onExhausted(Object.assign(createJob(), { failedReason: 'x'.repeat(5_000) }));
    expect(log).toEqual([`give up: ${'x'.repeat(199)}…`, 'wake next']);
  });

  it('ends without an attempt when the endpoint is deleted, and when it is exhausted', async () => {
    const { handler, log } = create({ isDeleted: true });
    await handler.process(createJob(), 't', going);
    await handler.onExhausted(createJob());
    expect(log).toEqual([
      ...['remove', 'wake next'],
      ...['give up: the receiver answered 503', 'wake next'],
    ]);
  });
});
