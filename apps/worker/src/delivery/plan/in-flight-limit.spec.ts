import { describe, expect, it } from 'vitest';
import { MAX_RESENT_MESSAGES } from '#domain/webhook-endpoint';
import { Partitions } from '#event-store';
import type { RunningEndpoint } from '#tenancy';
import type { CursorSet } from '../../redis/cursor-set.js';
import type { FeedCheckpoint } from '../../redis/feed-checkpoint.js';
import { IN_FLIGHT_AT_LEAST_OF_PARTITION, IN_FLIGHT_OF_ENDPOINT } from '../../limits.js';
import { at, createEvent } from '../../spec-support/fakes.js';
import { InFlightLimit } from './in-flight-limit.js';
import { EndpointQueues } from '../queue/endpoint-queue.js';
import type { OutgoingMessage } from '../send/message-planner.js';

const LIMIT = IN_FLIGHT_AT_LEAST_OF_PARTITION;

const planned = (n: number, ...types: string[]) => {
  const event = createEvent(`sub_${n}`, n);
  const plan = (types.length === 0 ? ['subscription.canceled'] : types).map(
    (type): OutgoingMessage => ({
      ...{ id: `msg_${n}_${type}`, type, subject: `sub_${n}`, sequence: 1 },
      ...{ player: 'player-1', open: async () => '{}', event },
    }),
  );
  return { event, plan };
};
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => planned(from + n));

/** An event of an endpoint that asks for messages of other streams. */
const resend = (n: number, endpointId: string, count = 1) => {
  const messages = Array.from({ length: count }, (_, revision) => ({
    ...{ streamName: 'subscription-sub_9', revision, messageId: `msg_${revision}` },
  }));
  const event = {
    ...createEvent(`sub_${n}`, n),
    ...{ type: 'webhook_endpoint.resend_requested.v1', data: { messages, restAfter: null } },
    ...{ streamName: `webhook_endpoint-${endpointId}`, revision: 7 },
  };
  return { event, plan: [] };
};

const endpoint = (endpointId: string, more: Partial<RunningEndpoint> = {}): RunningEndpoint =>
  // Fields that are not looked at here are left out.
  ({
    ...{ endpointId, appId: 'app_1', eventTypes: ['*'], createdAt: '2025-01-01T00:00:00.000Z' },
    ...more,
  }) as RunningEndpoint;

function create(
  endpoints: readonly RunningEndpoint[] = [endpoint('whe_1')],
  cursors = new Map<string, string>(),
  known = at(0),
) {
  const queues = new EndpointQueues();
  const limit = new InFlightLimit(
    { listEndpoints: async () => [...endpoints] },
    { all: cursors } as unknown as CursorSet,
    queues,
    { position: known } as FeedCheckpoint,
    new Partitions(IN_FLIGHT_OF_ENDPOINT / LIMIT),
  );
  const fill = (count: number, isDeferred = false) => {
    const queue = queues.require('whe_1', 'app_1');
    for (let n = 0; n < count; n += 1) {
      const streamName = `subscription-${isDeferred ? 'deferred' : 'old'}_${n}`;
      const member = `${at(0)} whe_1 ${streamName} 0 0 msg_${n}`;
      const of = { position: at(0), target: 'whe_1', streamName, revision: 0, messageId: '' };
      queue.add({ member, ...of }, { attempts: 6, firstFailedAtMs: isDeferred ? 0 : 1 });
    }
    queue.deferFailedSince(0);
  };
  return { limit, fill, endpoints: new Map(endpoints.map((each) => [each.endpointId, each])) };
}

const positions = (begin: readonly (readonly [{ readonly position: string }, string])[]) =>
  begin.map(([{ position }]) => Number(position));

describe('the in-flight limit of an endpoint', () => {
  it('takes what the endpoint wants, and nothing of long before it was there', async () => {
    const { limit } = create([
      endpoint('whe_1', { eventTypes: ['payment.*'] }),
      endpoint('whe_2', { createdAt: '2026-01-01T00:00:30.000Z' }),
      endpoint('whe_3', { createdAt: '2026-01-01T00:02:00.000Z' }),
    ]);
    const { begin } = await limit.divide([planned(1, 'payment.succeeded', 'subscription.created')]);
    expect(begin.map(([{ member }]) => member.replace(/^0+/, ''))).toEqual([
      '1 whe_1 subscription-sub_1 0 0 msg_1_payment.succeeded',
      '1 whe_2 subscription-sub_1 0 0 msg_1_payment.succeeded',
      '1 whe_2 subscription-sub_1 0 1 msg_1_subscription.created',
    ]);
  });

  it('leaves in the store what it has no room for, from the first such event on', async () => {
    const { limit, fill } = create();
    fill(LIMIT - 2);
    const { begin, moves } = await limit.divide(range(5, 9));
    expect(positions(begin)).toEqual([5, 6]);
    expect([...moves]).toEqual([['whe_1', at(6)]]);
  });

  it('takes none of the messages of an event where it has no room for all', async () => {
    const { limit, fill } = create();
    fill(LIMIT - 1);
    const both = planned(5, 'payment.succeeded', 'subscription.created');
    const { begin, moves } = await limit.divide([both, planned(6)]);
    expect(positions(begin)).toEqual([]);
    expect([...moves]).toEqual([['whe_1', at(0)]]);
  });

  it('holds up one endpoint alone', async () => {
    const { limit, fill } = create([endpoint('whe_1'), endpoint('whe_2')]);
    fill(LIMIT);
    const { begin } = await limit.divide(range(5, 6));
    expect(begin.map(([{ target }]) => target)).toEqual(['whe_2', 'whe_2']);
  });

  it('takes of a backlogged one only what was held back before its cursor', async () => {
    const { limit } = create(undefined, new Map([['whe_1', at(6)]]));
    const { begin, moves } = await limit.divide(range(5, 8));
    expect(positions(begin)).toEqual([5, 6]);
    expect(moves.size).toBe(0);
  });

  it('takes what a parked stream held back although it is full: the feed does not give that again', async () => {
    const { limit, fill } = create(undefined, undefined, at(6));
    fill(LIMIT);
    const { begin, moves } = await limit.divide(range(5, 8));
    expect(positions(begin)).toEqual([5, 6]);
    expect([...moves]).toEqual([['whe_1', at(6)]]);
  });

  it('is not filled by deferred deliveries, which hold back nothing', async () => {
    const { limit, fill } = create();
    fill(LIMIT, true);
    fill(LIMIT / 2);
    expect(limit.hasRoom('whe_1')).toBe(true);
    expect((await limit.divide(range(5, 9))).moves.size).toBe(0);
    fill(LIMIT * 20, true);
    expect(limit.hasRoom('whe_1')).toBe(false);
    expect([...(await limit.divide(range(5, 9))).moves]).toEqual([['whe_1', at(0)]]);
  });
});

describe('messages that are asked for again', () => {
  it('are for their endpoint alone, whatever it takes, each at the place where it was asked for', async () => {
    const nothing = endpoint('whe_1', { eventTypes: ['VIEW_ITEM'], createdAt: '2030-01-01' });
    const { limit } = create([nothing, endpoint('whe_2')]);
    const { begin } = await limit.divide([resend(5, 'whe_1', 2)]);
    expect(begin.map(([{ member }]) => member)).toEqual([
      `${at(5)} whe_1 subscription-sub_9 0 0 msg_0 7`,
      `${at(5)} whe_1 subscription-sub_9 1 1 msg_1 7`,
    ]);
    const [first] = begin;
    expect(first).toMatchObject([
      { position: at(5), target: 'whe_1', askedAtRevision: 7 },
      'app_1',
    ]);
  });

  it('count against the in-flight limit, and are backlogged as all others', async () => {
    const { limit, fill } = create();
    fill(LIMIT - 1);
    const { begin, moves } = await limit.divide([planned(5), resend(6, 'whe_1')]);
    expect([positions(begin), [...moves]]).toEqual([[5], [['whe_1', at(5)]]]);
    const { limit: backlogged, endpoints } = create(undefined, new Map([['whe_1', at(5)]]));
    const again = backlogged.catchUp([resend(6, 'whe_1'), resend(7, 'whe_2')], endpoints, at(8));
    expect(positions(again.begin)).toEqual([6]);
  });

  it('of one event have room whenever the store is read again', () => {
    expect(MAX_RESENT_MESSAGES).toBeLessThanOrEqual(LIMIT / 2);
    const { limit, fill, endpoints } = create(undefined, new Map([['whe_1', at(5)]]));
    fill(LIMIT / 2);
    expect(limit.hasRoom('whe_1')).toBe(true);
    const { begin } = limit.catchUp([resend(6, 'whe_1', MAX_RESENT_MESSAGES)], endpoints, at(8));
    expect(begin).toHaveLength(MAX_RESENT_MESSAGES);
  });

  it('are not asked for by tests and changes', async () => {
    const { event } = resend(5, 'whe_1');
    const test = { ...event, type: 'webhook_endpoint.test_requested.v1', data: {} };
    const { plan } = planned(5);
    expect((await create().limit.divide([{ event: test, plan }])).begin).toEqual([]);
  });
});

describe('a backlogged endpoint', () => {
  it('takes what there is room for, each time from where it stands', () => {
    const cursors = new Map([['whe_1', at(4)]]);
    const { limit, fill, endpoints } = create(undefined, cursors);
    fill(LIMIT - 2);
    const { begin, moves } = limit.catchUp(range(1, 9), endpoints, at(9));
    expect(positions(begin)).toEqual([5, 6]);
    expect([...moves]).toEqual([['whe_1', at(6)]]);
    // The next read message is not the next one for it.
    expect(endpoints.size).toBe(0);
  });

  it('stands where the store was read up to when it has taken all of that', () => {
    const cursors = new Map([['whe_1', at(4)]]);
    const { limit, endpoints } = create(undefined, cursors);
    const { begin, moves } = limit.catchUp(range(5, 6), endpoints, at(9));
    expect(positions(begin)).toEqual([5, 6]);
    expect([...moves]).toEqual([['whe_1', at(9)]]);
    expect(endpoints.size).toBe(1);
  });

  it('waits before an event whose messages cannot be made, and others go on', () => {
    const other = endpoint('whe_2', { appId: 'app_2' });
    const cursors = new Map([
      ['whe_1', at(4)],
      ['whe_2', at(4)],
    ]);
    const { limit, endpoints } = create([endpoint('whe_1'), other], cursors);
    const unplannable = { event: createEvent('sub_6', 6), plan: null };
    const { begin, moves, heldUp } = limit.catchUp(
      [planned(5), unplannable, planned(7)],
      endpoints,
      at(9),
    );
    expect(positions(begin)).toEqual([5]);
    expect([...moves]).toEqual([
      ['whe_1', at(5)],
      ['whe_2', at(9)],
    ]);
    expect(heldUp).toEqual(['whe_1']);
  });

  it.each([
    ['of its app', 'app_1', ['whe_1']],
    ['of unknown owner', undefined, ['whe_1', 'whe_2']],
  ])('waits before an event %s that cannot be read', (_whose, appId, waiting) => {
    const cursors = new Map([
      ['whe_1', at(4)],
      ['whe_2', at(4)],
    ]);
    const both = [endpoint('whe_1'), endpoint('whe_2', { appId: 'app_2' })];
    const { limit, endpoints } = create(both, cursors);
    const { metadata: _, ...item } = createEvent('sub_6', 6);
    const unreadable = { ...item, undecodable: true, reason: 'newer_version' } as const;
    const read = { event: { ...unreadable, ...(appId !== undefined && { appId }) }, plan: null };
    expect(limit.catchUp([planned(5), read, planned(7)], endpoints, at(9)).heldUp).toEqual(waiting);
  });
});
