import { describe, expect, it } from 'vitest';
import type { RecordedEvent } from '#domain/event';
import type { EventStore, EventToAppend } from '#event-store';
import {
  type Backup,
  DELIVERY_CHECKPOINT_RECORDED,
  type ExhaustedDelivery,
  inFlightMember,
  type ParkedEntry,
  PROCESS,
  resendMember,
} from '#worker-state';
import { BackupLog } from '../../apps/worker/src/backup/backup-log.js';
import {
  createEvent,
  createLease,
  createNamespace,
} from '../../apps/worker/src/spec-support/fakes.js';
import { golden, pretty } from './golden-files.js';

/** The data that a worker finds in the event store on the day on which Redis is lost (rules/events 6). */
describe('the stored form of a backup of the checkpoint', () => {
  it('is the golden one, and reads back', async () => {
    const appended: EventToAppend[] = [];
    const store: Partial<EventStore> = {
      append: async (_stream, _expected, events) => {
        appended.push(...events);
        return { revision: 0, position: '' };
      },
      async *readStream(stream) {
        if (stream.endsWith('.exhausted')) return;
        // Appended events come back with their place in the store, which is not looked at.
        yield* appended as unknown as RecordedEvent[];
      },
    };
    const backups = new BackupLog(store as EventStore, createNamespace(), createLease());
    const event = createEvent('sub_1', 41);
    const charge = inFlightMember(event, PROCESS);
    const delivery = inFlightMember(event, 'whe_1', 'msg_1');
    const message = { streamName: 'subscription-sub_6', revision: 2, messageId: 'msg_6' };
    const resend = resendMember({ position: event.position, revision: 7 }, 'whe_1', message, 3);
    const parked: ParkedEntry = {
      ...{ streamName: 'subscription-sub_2', revision: 3, position: '00000000000000000039' },
      ...{ type: 'subscription.teleported.v1', reason: 'cannot be decoded: unknown_type' },
      ...{ release: '0123456789', begunUpTo: '' },
    };
    const exhausted: ExhaustedDelivery = {
      member: '00000000000000000038 whe_1 subscription-sub_5 0 0 msg_5',
      ...{ appId: 'app_1', type: 'subscription.created', attempts: 12 },
      ...{ reason: 'the receiver answered 503', exhaustedAt: '2026-01-01T00:00:09.000Z' },
    };
    const askAgainAt = '2026-01-01T00:00:10.000Z';
    const backup: Backup = {
      position: '00000000000000000042',
      inFlight: [{ member: charge, askAgainAt }, { member: delivery }, { member: resend }],
      parked: [parked],
      exhausted: [exhausted],
      cursors: [{ endpointId: 'whe_2', after: '00000000000000000030' }],
    };
    await backups.append(0, backup);
    const found = pretty(appended[0]?.data);
    expect(found).toBe(golden('events', DELIVERY_CHECKPOINT_RECORDED, found));
    expect(await backups.readLast()).toEqual(backup);
  });
});
