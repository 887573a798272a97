import { describe, expect, it } from 'vitest';
import type { RecordedEvent } from '#domain/event';
import type { EventStore, NamespaceIdentity } from '#event-store';
import type { PersonalData } from '#tenancy';
import {
  type DeliveryLog,
  inFlightMember,
  type LoggedDelivery,
  PLAYER_ERASED,
  resendMember,
  toPages,
} from '#worker-state';
import { FailedDeliveries } from './failed-deliveries.js';
import type { RangeMessages } from './range-messages.js';
import type { ResendPlan } from './resend-plan.js';
import { ResendableMessages } from './resendable-messages.js';

const MINE = 'whe_mine';
const at = (position: number) =>
  ({
    position: String(position).padStart(20, '0'),
    streamName: 'subscription-sub_1',
    revision: position,
  }) as RecordedEvent;
const member = (position: number, endpointId: string, messageId: string) =>
  inFlightMember(at(position), endpointId, messageId);

const given = { appId: 'app_1', type: 'payment.failed', attempts: 12, exhaustedAt: '' };
const exhausted = (...members: string[]) =>
  members.map((each) => {
    const reason = each.includes('msg_11') ? PLAYER_ERASED : 'the receiver answered 503';
    return { ...given, member: each, reason };
  });

/** The backups of the workers of each partition: one page. */
function written(...members: string[]) {
  const empty = { inFlight: [], parked: [], cursors: [] };
  const [page] = toPages({
    ...{ ...empty, position: '9'.repeat(20), exhausted: exhausted(...members) },
  });
  return page;
}

const backups = [
  written(
    ...[member(7, MINE, 'msg_7'), member(3, 'whe_other', 'msg_3'), member(9, MINE, 'msg_9')],
    member(11, MINE, 'msg_11'),
  ),
  written(member(5, MINE, 'msg_5'), `${'6'.padStart(20, '0')} process payment-pay_1 2`),
];

interface Given {
  readonly erasedAt?: string;
  readonly isEventThere?: boolean;
  /** The positions at which messages were asked for again. */
  readonly asked?: readonly (readonly [number, string])[];
  readonly partitions?: ReturnType<typeof written>[];
}

function create({ erasedAt = '', isEventThere = true, asked = [], ...more }: Given = {}) {
  const { partitions = backups } = more;
  const store = {
    readStream: async function* (streamName: string, { fromRevision = 0 } = {}) {
      const [, partition] =
        /^delivery_checkpoint-layout\.(\d)(?:\.exhausted)?$/.exec(streamName) ?? [];
      const data = partition === undefined ? undefined : partitions[Number(partition)];
      const position = String(fromRevision).padStart(20, '0');
      const event = { streamName, revision: fromRevision, position };
      if (streamName === `webhook_endpoint-${MINE}`) {
        for (const [n, messageId] of [...asked].reverse()) {
          const named = { messages: [{ ...event, messageId }], restAfter: null };
          const type = 'webhook_endpoint.resend_requested.v1';
          yield { ...event, position: at(n).position, type, data: named, metadata: {} };
        }
      } else if (data !== undefined) {
        yield { ...event, type: 'delivery_checkpoint.recorded.v2', data, metadata: {} };
      } else if (isEventThere && partition === undefined) {
        yield { ...event, data: {}, metadata: { player: 'aa' } };
      }
    },
  } as unknown as EventStore;
  const identity = { layoutId: 'layout', partitions: 2 } as NamespaceIdentity;
  const wasErasedAfter = (position: string) => position < erasedAt;
  const personalData = { access: async () => ({ wasErasedAfter }) } as unknown as PersonalData;
  const log: Pick<DeliveryLog, 'readDeliveries'> = {
    readDeliveries: async (endpointId, { messageId }) => {
      // The parts that name its event are all that is read of it.
      const logged = { streamName: 'subscription-sub_1', revision: 4, messageId } as LoggedDelivery;
      const isThere = endpointId === MINE && messageId === 'msg_4';
      return { deliveries: isThere ? [logged] : [], next: null };
    },
  };
  const failed = new FailedDeliveries(store, identity);
  const ranges: Pick<RangeMessages, 'find'> = {
    find: async ({ after }) => ({
      ...{ messages: [named(1)], restAfter: after ?? null, progressPercent: 50 },
    }),
  };
  const resendable = new ResendableMessages(failed, ranges, log, store, personalData, {
    find: async (appId, message) =>
      appId === 'app_1' && message.revision === 2 ? message : undefined,
  });
  const resolve = (plan: ResendPlan, endpointId = MINE, after?: string) => {
    const endpoint = { endpointId, appId: 'app_1', eventTypes: ['*'] };
    return resendable.resolve(plan, { endpoint, now: '', after });
  };
  return { resolve };
}

const one = (messageId: string) => ({ kind: 'message', messageId, place: undefined }) as const;
const named = (revision: number) => ({
  ...{ streamName: 'subscription-sub_1', revision, messageId: `msg_${revision}` },
});
const only = (...revisions: number[]) => ({ messages: revisions.map(named), restAfter: null });
const missing = expect.objectContaining({ reason: 'WEBHOOK_MESSAGE_NOT_FOUND' });

describe('what failed at an endpoint', () => {
  it('is named by the workers of all partitions, and sent again oldest first', async () => {
    // The player of the newest one was erased.
    expect(await create().resolve({ kind: 'failed' })).toEqual(only(5, 7, 9));
  });

  it('is not named once it was asked for again, until that is given up, too', async () => {
    const asked = [
      [20, 'msg_7'],
      [21, 'msg_5'],
    ] as const;
    expect(await create({ asked }).resolve({ kind: 'failed' })).toEqual(only(9));
    const again = { position: at(20).position, revision: 3 };
    const givenUp = written(resendMember(again, MINE, named(7), 0));
    const partitions = [backups[0]!, givenUp];
    // It is named once, and behind older ones.
    expect(await create({ asked, partitions }).resolve({ kind: 'failed' })).toEqual(only(9, 7));
    const twice = [...asked, [22, 'msg_7']] as const;
    expect(await create({ asked: twice, partitions }).resolve({ kind: 'failed' })).toEqual(only(9));
  });

  it('is found by its id, at this endpoint and no other', async () => {
    const { resolve } = create();
    expect(await resolve(one('msg_7'))).toEqual(only(7));
    await expect(resolve(one('msg_3'))).rejects.toEqual(missing);
    const gone = create({ isEventThere: false });
    await expect(gone.resolve(one('msg_7'))).rejects.toEqual(missing);
  });

  it('or was attempted there within the last days is found by its id', async () => {
    const { resolve } = create();
    expect(await resolve(one('msg_4'))).toEqual(only(4));
    await expect(resolve(one('msg_4'), 'whe_2')).rejects.toEqual(missing);
    const erased = create({ erasedAt: '8'.padStart(20, '0') });
    const refused = expect.objectContaining({ reason: 'PLAYER_ERASED' });
    await expect(erased.resolve(one('msg_4'))).rejects.toEqual(refused);
  });

  it('is found by its event where nothing else knows of it', async () => {
    const { resolve } = create();
    const by = ({ messageId, ...place }: ReturnType<typeof named>) =>
      ({ kind: 'message', messageId, place }) as const;
    expect(await resolve(by(named(2)))).toEqual(only(2));
    await expect(resolve(by(named(1)))).rejects.toEqual(missing);
    // A known delivery needs no reading.
    expect(await resolve(by({ ...named(2), messageId: 'msg_4' }))).toEqual(only(4));
    const erased = create({ erasedAt: '8'.padStart(20, '0') });
    const refused = expect.objectContaining({ reason: 'PLAYER_ERASED' });
    await expect(erased.resolve(by(named(2)))).rejects.toEqual(refused);
  });

  it('is refused where its player was erased since, and not where that was before', async () => {
    const since = create({ erasedAt: '8'.padStart(20, '0') });
    const refused = expect.objectContaining({ reason: 'PLAYER_ERASED', http: 410 });
    await expect(since.resolve(one('msg_7'))).rejects.toEqual(refused);
    expect(await since.resolve(one('msg_9'))).toEqual(only(9));
  });
});

describe('what happened in a time', () => {
  it('is read from where an earlier call has ended', async () => {
    const range = {
      since: '2027-02-01T00:00:00.000Z',
      until: '2027-02-02T00:00:00.000Z',
      types: [],
    };
    const found = await create().resolve({ kind: 'range', range }, MINE, '7');
    expect(found).toEqual({ messages: [named(1)], restAfter: '7', progressPercent: 50 });
  });
});
