import { describe, expect, it } from '@jest/globals';
import type { DeliveryLog, LoggedAttempt } from '#delivery-log';
import { foldRecords, inFlightMember } from '#checkpoint-backup';
import type { RecordedEvent } from '#domain/event';
import type { EventStore, NamespaceIdentity } from '#event-store';
import type { PersonalData } from '#tenancy';
import { FailedMessages } from './failed-messages.js';
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
  members.map((each) => ({ ...given, member: each, reason: 'the receiver answered 503' }));

/** What the workers of each partition have written: one whole. */
function whole(...members: string[]) {
  const empty = { begun: [], ended: [], askAgain: [], parked: [], unparked: [], cursors: [] };
  const position = '9'.repeat(20);
  const record = { scope: 'whole', pagesBefore: 0, position } as const;
  return { ...record, ...empty, exhausted: exhausted(...members) };
}

const backups = [
  whole(member(7, MINE, 'msg_7'), member(3, 'whe_other', 'msg_3'), member(9, MINE, 'msg_9')),
  whole(member(5, MINE, 'msg_5'), `${'6'.padStart(20, '0')} process payment-pay_1 2`),
];

function create({ erasedAt = '', isEventThere = true } = {}) {
  const store = {
    readStream: async function* (streamName: string, { fromRevision = 0 } = {}) {
      const [, partition] = /^delivery_checkpoint-layout\.(\d)$/.exec(streamName) ?? [];
      const data = partition === undefined ? undefined : backups[Number(partition)];
      const position = String(fromRevision).padStart(20, '0');
      const event = { streamName, revision: fromRevision, position };
      if (data !== undefined) {
        yield { ...event, type: 'delivery_checkpoint.recorded.v2', data, metadata: {} };
      } else if (isEventThere && partition === undefined) {
        yield { ...event, data: {}, metadata: { player: 'aa' } };
      }
    },
  } as unknown as EventStore;
  const identity = { layoutId: 'layout', partitions: 2 } as NamespaceIdentity;
  const wasErasedAfter = (position: string) => position < erasedAt;
  const personalData = { access: async () => ({ wasErasedAfter }) } as unknown as PersonalData;
  const log: Pick<DeliveryLog, 'findNewest'> = {
    findNewest: async (endpointId, messageId) =>
      endpointId === MINE && messageId === 'msg_4'
        ? // What names its event is all that is read of it.
          ({ streamName: 'subscription-sub_1', revision: 4, messageId } as LoggedAttempt)
        : undefined,
  };
  const failed = new FailedMessages(store, identity);
  return new ResendableMessages(failed, log, store, personalData);
}

const one = (messageId: string) => ({ kind: 'message', messageId }) as const;
const named = (revision: number) => ({
  ...{ streamName: 'subscription-sub_1', revision, messageId: `msg_${revision}` },
});

describe('what failed at an endpoint', () => {
  it('is named by the workers of all partitions, and sent again oldest first', async () => {
    expect(foldRecords(backups.slice(0, 1)).exhausted.size).toBe(3);
    const failed = await create().resolve(MINE, { kind: 'failed' }, 'app_1');
    expect(failed).toEqual({ messages: [named(5), named(7), named(9)] });
  });

  it('is found by its id, at this endpoint and no other', async () => {
    const resendable = create();
    expect(await resendable.resolve(MINE, one('msg_7'), 'app_1')).toEqual({ messages: [named(7)] });
    const missing = expect.objectContaining({ reason: 'WEBHOOK_MESSAGE_NOT_FOUND' });
    await expect(resendable.resolve(MINE, one('msg_3'), 'app_1')).rejects.toEqual(missing);
    const gone = create({ isEventThere: false });
    await expect(gone.resolve(MINE, one('msg_7'), 'app_1')).rejects.toEqual(missing);
  });

  it('or was attempted there within the last days is found by its id', async () => {
    expect(await create().resolve(MINE, one('msg_4'), 'app_1')).toEqual({ messages: [named(4)] });
    const missing = expect.objectContaining({ reason: 'WEBHOOK_MESSAGE_NOT_FOUND' });
    const resendable = create();
    await expect(resendable.resolve('whe_2', one('msg_4'), 'app_1')).rejects.toEqual(missing);
    const erased = create({ erasedAt: '8'.padStart(20, '0') });
    const refused = expect.objectContaining({ reason: 'PLAYER_ERASED' });
    await expect(erased.resolve(MINE, one('msg_4'), 'app_1')).rejects.toEqual(refused);
  });

  it('is refused where its player was erased since, and not where that was before', async () => {
    const since = create({ erasedAt: '8'.padStart(20, '0') });
    const refused = expect.objectContaining({ reason: 'PLAYER_ERASED', http: 410 });
    await expect(since.resolve(MINE, one('msg_7'), 'app_1')).rejects.toEqual(refused);
    expect(await since.resolve(MINE, one('msg_9'), 'app_1')).toEqual({ messages: [named(9)] });
  });
});
