import { describe, expect, it } from 'vitest';
import type { RecordedEvent } from '#domain/event';
import { type EventStore, RevisionConflict } from '#event-store';
import { type Backup, backupStream, DELIVERY_CHECKPOINT_RECORDED, toPages } from '#worker-state';
import { createLease, createNamespace } from '../spec-support/fakes.js';
import { BackupLog } from './backup-log.js';

const GIVEN_UP = {
  ...{ appId: 'app_1', type: 'subscription.created', attempts: 12 },
  ...{ reason: 'the receiver answered 503', exhaustedAt: '2026-01-01T00:00:00.000Z' },
};

const position = (n: number) => String(n).padStart(20, '0');

describe('the last backup in a ledger that was divided anew', () => {
  const earliest = { partitions: 1, layoutId: 'store-1.e', before: null };
  const before = { partitions: 2, layoutId: 'store-1.0', before: earliest };
  const namespace = createNamespace({ partitions: 4, layoutId: 'store-1.1', before });
  /** In the first of the partitions, and in the last. */
  const low = 'subscription-sub_01kg9qxg8000d9zf3vcz2q1fb6nq';
  const high = 'subscription-sub_01kg9qxg80ffd9zf3vcz2q1fb6nq';
  const inFlight = (n: number, streamName: string) => `${position(n)} process ${streamName} 0`;

  function readLast(backups: Readonly<Record<string, Backup>>, of = namespace) {
    const store: Partial<EventStore> = {
      async *readStream(stream) {
        const backup = backups[stream];
        if (backup === undefined) return;
        for (const data of toPages(backup).reverse()) {
          // Only an event's revision, type and data are looked at.
          yield { revision: 0, type: DELIVERY_CHECKPOINT_RECORDED, data } as RecordedEvent;
        }
      },
    };
    return new BackupLog(store as EventStore, of, createLease()).readLast();
  }

  const named = (...members: string[]) => members.map((member) => ({ member }));
  const parkedAt = (n: number, streamName: string) => ({
    ...{ streamName, revision: 0, position: position(n), begunUpTo: '' },
    ...{ type: 'subscription.teleported.v1', reason: 'unknown_type', release: 'a' },
  });
  const givenUpIn = (...members: string[]) => members.map((member) => ({ ...GIVEN_UP, member }));
  const first: Backup = {
    position: position(20),
    inFlight: named(inFlight(3, low), inFlight(15, low)),
    parked: [parkedAt(4, low)],
    ...{ exhausted: givenUpIn(inFlight(2, low), inFlight(16, low)), cursors: [] },
  };
  const second: Backup = {
    position: position(10),
    inFlight: named(inFlight(5, high), inFlight(7, low)),
    parked: [parkedAt(6, high)],
    ...{ exhausted: givenUpIn(inFlight(8, high), inFlight(9, low)), cursors: [] },
  };
  const [streamOfFirst, streamOfSecond] = [0, 1].map((n) => backupStream(before.layoutId, n));
  const former = { [streamOfFirst ?? '']: first, [streamOfSecond ?? '']: second };

  it('is the lowest of those before, with what is in flight and parked in this partition', async () => {
    expect(await readLast(former)).toEqual({
      position: position(10),
      inFlight: named(inFlight(3, low), inFlight(7, low)),
      parked: first.parked,
      ...{ exhausted: givenUpIn(inFlight(2, low), inFlight(9, low)), cursors: [] },
    });
  });

  it('is not there when one of those before is not', async () => {
    expect(await readLast({ [streamOfFirst ?? '']: first })).toBeUndefined();
  });

  it('is that of an earlier division where one of those before is not: it began there', async () => {
    const backup: Backup = {
      ...{ position: position(6), inFlight: named(inFlight(3, low), inFlight(4, high)) },
      ...{ parked: [], exhausted: givenUpIn(), cursors: [] },
    };
    const ofEarliest = { [backupStream('store-1.e', 0)]: backup };
    const own = named(inFlight(3, low));
    expect(await readLast(ofEarliest)).toMatchObject({ position: position(6), inFlight: own });
    const withOne = await readLast({ ...ofEarliest, [streamOfFirst ?? '']: first });
    expect(withOne).toMatchObject({ position: position(6), inFlight: own, parked: first.parked });
    expect(await readLast({ ...ofEarliest, ...former })).toMatchObject({ position: position(10) });
  });

  it("is the same partition's where there are as many as before: the store was restored", async () => {
    const restored = createNamespace({ partitions: 2, layoutId: 'store-1.1r', before });
    expect(await readLast(former, restored)).toEqual(first);
    const backup: Backup = { ...second, position: position(8) };
    const ofSecond = { [streamOfSecond ?? '']: second };
    expect(await readLast(ofSecond, restored)).toBeUndefined();
    const ofEarliest = { ...ofSecond, [backupStream('store-1.e', 0)]: backup };
    expect(await readLast(ofEarliest, restored)).toMatchObject({ position: position(8) });
  });

  it('is its own, once there is one', async () => {
    const own: Backup = {
      ...{ position: position(30), inFlight: named(), parked: [] },
      ...{ exhausted: givenUpIn(), cursors: [] },
    };
    expect(await readLast({ ...former, [backupStream('store-1.1', 0)]: own })).toEqual(own);
  });
});

describe('pages of a backup', () => {
  it('are appended where the last one of this process is, and nowhere else', async () => {
    const appended: string[] = [];
    let head = -1;
    const store: Partial<EventStore> = {
      append: async (stream, expected, [event]) => {
        if (expected !== (head === -1 ? 'no_stream' : head)) {
          throw new RevisionConflict(stream, head, false);
        }
        if (!stream.startsWith('$$')) head += 1;
        appended.push(event?.type ?? '');
        return { revision: head, position: position(head) };
      },
    };
    const log = new BackupLog(store as EventStore, createNamespace(), createLease());
    const backup = {
      ...{ position: position(1), inFlight: [], parked: [] },
      ...{ exhausted: [], cursors: [] },
    };
    const revision = await log.append(-1, backup);
    expect(revision).toBe(0);
    expect(appended).toEqual(['$metadata', DELIVERY_CHECKPOINT_RECORDED]);
    // Another holder of the partition, which this one does not know of.
    head += 1;
    await expect(log.append(revision, backup)).rejects.toThrow(RevisionConflict);
  });
});
