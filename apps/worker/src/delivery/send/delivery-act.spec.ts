import { describe, expect, it } from 'vitest';
import type { CreatedApp } from '#domain/app';
import type { FeedItem } from '#event-store';
import { Fault } from '#platform';
import type { RunningEndpoint } from '#tenancy';
import { at } from '../../spec-support/fakes.js';
import { DeliveryAct } from './delivery-act.js';
import type { DeliveryAttempt } from './delivery-attempt.js';
import { type OutgoingMessages, Unplannable } from './outgoing-messages.js';
import { type Answer, DeliveryFailed } from './send.js';

const NOW = '2027-01-31T10:00:00.000Z';
const MESSAGE = {
  id: 'msg_1',
  type: 'payment.failed',
  sequence: 3,
  player: 'aa',
  event: { type: 'x' },
};
const ITEM = {
  delivery: {
    ...{ member: `${at(1)} whe_1 sub_1 1 0 msg_1`, position: at(1), target: 'whe_1' },
    ...{ streamName: 'sub_1', revision: 1, messageId: 'msg_1' },
  },
  attempts: 2,
};

interface Given {
  readonly state?: RunningEndpoint['state'] | 'gone';
  readonly find?: () => Promise<unknown>;
  readonly open?: () => Promise<string | undefined>;
  readonly make?: () => Promise<Answer>;
  readonly admits?: boolean;
  /** For a message that is sent again. */
  readonly askedAtRevision?: number;
  readonly signal?: AbortSignal;
  /** The setting of the app. */
  readonly sealWitness?: boolean;
}

const rejecting = (error: Error) => () => Promise.reject(error);
const answer = (status: number): Answer => ({ status, durationMs: 12, body: 'why' });

async function perform({ state = 'enabled', admits = true, signal, ...given }: Given) {
  const { askedAtRevision, sealWitness = false } = given;
  const {
    open = async () => '{}',
    find = async () => ({ ...MESSAGE, open }),
    make = async () => answer(204),
  } = given;
  const act = new DeliveryAct(
    // As much of an endpoint as is looked at.
    {
      findEndpoint: async () =>
        state === 'gone' ? undefined : ({ state, url: URL_NOW } as RunningEndpoint),
      find: async () => ({ sealWitness }) as CreatedApp,
    },
    { find } as unknown as OutgoingMessages,
    { make } as unknown as DeliveryAttempt,
    { admit: () => admits },
    { now: () => NOW },
  );
  const delivery = { ...ITEM.delivery, ...(askedAtRevision !== undefined && { askedAtRevision }) };
  const outcome = await act.perform({ ...ITEM, delivery }, signal ?? new AbortController().signal);
  return { kind: outcome.kind, attempt: 'attempt' in outcome ? outcome.attempt : undefined };
}

const URL_NOW = 'https://studio.example/now';
const made = { message: expect.objectContaining(MESSAGE), startedAt: NOW, url: URL_NOW };

describe('a message that this release cannot make', () => {
  const find = rejecting(new Unplannable({} as FeedItem, new Error('of a newer release')));

  it('waits with its stream, and uses up its attempts where it is sent again', async () => {
    expect((await perform({ find })).kind).toBe('unplannable');
    // Its stream is another partition's, which has parked it.
    expect((await perform({ find, askedAtRevision: 7 })).kind).toBe('failed');
  });
});

describe('a checkpoint of the ledger', () => {
  const event = { type: 'seal_notice.recorded.v1' };
  const find = async () => ({ ...MESSAGE, event, open: async () => '{}' });

  it('is sent while its app may witness the ledger, and ends unsent and unlogged afterwards', async () => {
    expect(await perform({ find, sealWitness: true })).toMatchObject({
      ...{ kind: 'ended', attempt: { error: null } },
    });
    expect(await perform({ find })).toEqual({ kind: 'ended', attempt: undefined });
  });
});

describe('an attempt for the log', () => {
  it('is one that was delivered', async () => {
    const attempt = { ...made, durationMs: 12, answer: answer(204), error: null };
    expect(await perform({})).toEqual({ kind: 'ended', attempt });
  });

  it('is one that was answered by no success, and one that was not answered', async () => {
    const details = { code: 'status', durationMs: 12, answer: answer(500) } as const;
    const refused = new DeliveryFailed('the receiver answered 500', details);
    const error = { code: 'status', text: 'the receiver answered 500' };
    expect(await perform({ make: rejecting(refused) })).toEqual({
      kind: 'failed',
      attempt: { ...made, durationMs: 12, answer: answer(500), error },
    });
    const late = new DeliveryFailed('too late', { code: 'timeout', durationMs: 15_000 });
    expect((await perform({ make: rejecting(late) })).attempt).toMatchObject({
      ...{ durationMs: 15_000, answer: undefined, error: { code: 'timeout', text: 'too late' } },
    });
  });

  it('is one whose message did not open: nothing was sent', async () => {
    const open = rejecting(new Fault('undecodable', 'it was altered', { retryable: false }));
    expect(await perform({ open })).toEqual({
      kind: 'failed',
      attempt: {
        ...{ ...made, durationMs: 0, answer: undefined },
        error: { code: 'not_made', text: 'it was altered' },
      },
    });
  });

  it('is one that ended unsent, with its reason', async () => {
    const error = { code: 'erased', text: 'the player was erased' };
    expect(await perform({ open: async () => undefined })).toEqual({
      ...{ kind: 'givenUp', attempt: { ...made, durationMs: 0, answer: undefined, error } },
    });
  });

  it.each<[string, Given]>([
    ['held', { state: 'disabled' }],
    ['rateLimited', { admits: false }],
    ['ended', { state: 'gone' }],
    ['requeued', { make: rejecting(new Fault('unavailable', 'the proxy', { retryable: true })) }],
    ['requeued', { make: rejecting(new Error('it stops')), signal: AbortSignal.abort() }],
    ['failed', { find: rejecting(new Error('the event of the message is gone')) }],
  ])('is none where nothing is known to have been sent: %s', async (kind, given) => {
    expect(await perform(given)).toEqual({ kind, attempt: undefined });
  });
});
