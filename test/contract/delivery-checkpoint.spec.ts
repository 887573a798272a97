import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '#domain/event';
import type { EventStore, EventToAppend } from '#event-store';
import {
  boundedCheckpoint,
  DELIVERY_CHECKPOINT_RECORDED,
  DeliveryCheckpoints,
} from '../../apps/worker/src/feed/delivery-checkpoint.js';
import { inFlightMember, PROCESS } from '../../apps/worker/src/feed/in-flight.js';
import {
  createEvent,
  createLease,
  createNamespace,
} from '../../apps/worker/src/spec-support/fakes.js';
import { golden, pretty } from './golden-files.js';

/** What a worker finds in the event store on the day on which Redis is lost (rules/events 6). */
describe('the stored form of a backup of the checkpoint', () => {
  it('is the golden one, and reads back', async () => {
    const appended: EventToAppend[] = [];
    const store: Partial<EventStore> = {
      append: async (_stream, _expected, events) => {
        appended.push(...events);
        return { revision: 0, position: '' };
      },
      async *readStream() {
        // What was appended comes back with its place in the store, which is not looked at.
        yield* appended as unknown as RecordedEvent[];
      },
    };
    const checkpoints = new DeliveryCheckpoints(
      store as EventStore,
      createNamespace(),
      createLease(),
    );
    const event = createEvent('sub_1', 41);
    const members = [
      inFlightMember(event, PROCESS),
      inFlightMember(event, 'whe_1', 'subscription.canceled'),
    ];
    const written = boundedCheckpoint('00000000000000000042', members);
    await checkpoints.write(written);
    const found = pretty(appended[0]?.data);
    expect(found).toBe(golden('events', DELIVERY_CHECKPOINT_RECORDED, found));
    expect(await checkpoints.readLast()).toEqual(written);
  });
});
