import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '#domain/event';
import type { EventStore } from '#event-store';
import { createLease, createNamespace } from '../spec-support/fakes.js';
import {
  backupStream,
  boundedCheckpoint,
  DELIVERY_CHECKPOINT_RECORDED,
  type DeliveryCheckpoint,
  DeliveryCheckpoints,
} from './delivery-checkpoint.js';

const position = (n: number) => String(n).padStart(20, '0');
const member = (n: number, target = 'whe_1') => `${position(n)} ${target} subscription-sub_${n} 0`;

describe('the backup of a checkpoint', () => {
  it('stands at the checkpoint and names what is in flight before it', () => {
    const members = [member(3), member(7), member(12)];
    expect(boundedCheckpoint(position(10), members, 5)).toEqual({
      position: position(10),
      inFlight: [member(3), member(7)],
    });
  });

  it('stands before the first thing that it has no room to name', () => {
    const members = [member(3), member(7), member(8)];
    expect(boundedCheckpoint(position(10), members, 2)).toEqual({
      position: position(7),
      inFlight: [member(3), member(7)],
    });
  });

  it('names nothing of an event that it cannot name wholly', () => {
    const members = [member(3), member(7, 'whe_1'), member(7, 'whe_2')];
    expect(boundedCheckpoint(position(10), members, 2)).toEqual({
      position: position(6),
      inFlight: [member(3)],
    });
  });

  it('never stands behind the checkpoint', () => {
    const members = [member(3), member(40), member(41)];
    expect(boundedCheckpoint(position(10), members, 2).position).toBe(position(10));
  });
});

describe('the last backup in a ledger that was divided anew', () => {
  const before = { partitions: 2, layoutId: 'store-1.0' };
  const namespace = createNamespace({ partitions: 2, layoutId: 'store-1.1', before });
  /** In the first of two partitions, and in the second. */
  const low = 'subscription-sub_01kg9qxg8000d9zf3vcz2q1fb6nq';
  const high = 'subscription-sub_01kg9qxg80ffd9zf3vcz2q1fb6nq';
  const inFlight = (n: number, streamName: string) => `${position(n)} process ${streamName} 0`;

  function readLast(backups: Readonly<Record<string, DeliveryCheckpoint>>) {
    const store: Partial<EventStore> = {
      async *readStream(stream) {
        const data = backups[stream];
        // What is looked at of an event is its type and data.
        if (data !== undefined) yield { type: DELIVERY_CHECKPOINT_RECORDED, data } as RecordedEvent;
      },
    };
    return new DeliveryCheckpoints(store as EventStore, namespace, createLease()).readLast();
  }

  const first = { position: position(20), inFlight: [inFlight(3, low), inFlight(15, low)] };
  const second = { position: position(10), inFlight: [inFlight(5, high), inFlight(7, low)] };
  const [streamOfFirst, streamOfSecond] = [0, 1].map((n) => backupStream(before.layoutId, n));
  const former = { [streamOfFirst ?? '']: first, [streamOfSecond ?? '']: second };

  it('is the lowest of those before, with what is in flight in this partition up to there', async () => {
    expect(await readLast(former)).toEqual({
      position: position(10),
      inFlight: [inFlight(3, low), inFlight(7, low)],
    });
  });

  it('is not there when one of those before is not', async () => {
    expect(await readLast({ [streamOfFirst ?? '']: first })).toBeUndefined();
  });

  it('is its own, once there is one', async () => {
    const own = { position: position(30), inFlight: [] };
    expect(await readLast({ ...former, [backupStream('store-1.1', 0)]: own })).toEqual(own);
  });
});
