import { describe, expect, it } from 'vitest';
import { START, UndecodableEvent } from '#event-store';
import type { Checkpoint } from '#projection-engine';
import { type Backup, inFlightMember, PROCESS } from '#worker-state';
import { at, createEvent, silent } from '../spec-support/fakes.js';
import type { BackupLog } from '../backup/backup-log.js';
import type { CursorSet } from '../redis/cursor-set.js';
import { EventConsumers } from './event-consumer.js';
import type { ExhaustedSet } from '../redis/exhausted-set.js';
import type { FeedCheckpoint } from '../redis/feed-checkpoint.js';
import type { Member } from '../redis/in-flight-set.js';
import type { InFlightWork } from './in-flight-work.js';
import type { ParkedRetry } from './parked-retry.js';
import type { ParkingGate } from './parking-gate.js';
import { Recovery, RestoredState } from './recovery.js';

interface Known {
  readonly checkpoint?: string;
  readonly backup?: () => Promise<Backup | undefined>;
  readonly restore?: () => Promise<void>;
}

const DELIVERY = inFlightMember(createEvent('sub_1', 1), 'whe_1', 'msg_1');
const CHARGE = inFlightMember(createEvent('sub_2', 2), PROCESS);
const DUE = '2026-01-01T00:00:00.000Z';

const backupAt = (position: number) => async () => ({
  position: at(position),
  inFlight: [{ member: DELIVERY }, { member: CHARGE, askAgainAt: DUE }],
  ...{ parked: [], exhausted: [], cursors: [{ endpointId: 'whe_1', after: at(2) }] },
});

function create({ checkpoint, backup = async () => undefined, restore }: Known) {
  const log: string[] = [];
  const kept: Checkpoint | undefined =
    checkpoint === undefined ? undefined : { position: checkpoint, layoutId: 's', epoch: 'e' };
  const parts = {
    checkpoint: {
      recover: async () => kept,
      standAt: async (position: string) => {
        log.push(`stand at ${Number(position)}`);
        return position;
      },
      confirm: () => void log.push('confirm'),
    },
    backups: { readLast: backup },
    inFlight: {
      restore: async (members: readonly Member[]) => {
        await restore?.();
        const due = members.map(({ dueAtMs }) => dueAtMs ?? 'never');
        log.push(`restore ${due.join()}`);
      },
    },
    gate: {
      load: async () => undefined,
      restore: async () => void log.push('restore parked'),
    },
    parked: { askForAll: () => void log.push('retry') },
    exhausted: { restore: async () => void log.push('restore exhausted') },
    cursors: {
      load: async () => void log.push('load cursors'),
      restore: async () => void log.push('restore cursors'),
    },
  };
  const consumers = new EventConsumers();
  consumers.add({
    ...{ categories: [], plan: async () => undefined, perform: async () => undefined },
    ...{ ownsTarget: () => true, endLost: async () => undefined },
    resume: async () => void log.push('consumers resume'),
  });
  const recovery = new Recovery(
    parts.checkpoint as unknown as FeedCheckpoint,
    parts.backups as BackupLog,
    new RestoredState(
      parts.gate as unknown as ParkingGate,
      parts.exhausted as unknown as ExhaustedSet,
      parts.cursors as unknown as CursorSet,
      parts.inFlight as unknown as InFlightWork,
    ),
    parts.parked as unknown as ParkedRetry,
    consumers,
    silent,
  );
  return { recovery, log };
}

const RESUMED = ['load cursors', 'consumers resume', 'retry'];
const RESTORED = [
  ...['restore parked', 'restore exhausted', 'restore cursors'],
  ...[`restore never,${Date.parse(DUE)}`, 'stand at 9', 'confirm', ...RESUMED],
];

describe('where the feed goes on', () => {
  it.each([3, 9])('is the checkpoint, which no backup is ahead of (%i)', async (position) => {
    const { recovery, log } = create({ checkpoint: at(9), backup: backupAt(position) });
    expect(await recovery.resume()).toBe(at(9));
    expect(log).toEqual(['confirm', ...RESUMED]);
  });

  it('is the backup where Redis knows nothing, when all that it names is there again', async () => {
    const { recovery, log } = create({ backup: backupAt(9) });
    expect(await recovery.resume()).toBe(at(9));
    expect(log).toEqual(RESTORED);
  });

  it('is the backup where it is ahead of the checkpoint: Redis has lost what came last', async () => {
    const { recovery, log } = create({ checkpoint: at(8), backup: backupAt(9) });
    expect(await recovery.resume()).toBe(at(9));
    expect(log).toEqual(RESTORED);
  });

  it('is nowhere yet when that fails: no checkpoint hides what was not begun again', async () => {
    const { recovery, log } = create({
      backup: backupAt(9),
      restore: () => Promise.reject(new Error('Redis is away again')),
    });
    await expect(recovery.resume()).rejects.toThrow('Redis is away again');
    expect(log).not.toContain('stand at 9');
    expect(log).not.toContain('confirm');
  });

  it('is the beginning of a fresh store', async () => {
    const { recovery, log } = create({});
    expect(await recovery.resume()).toBe(START);
    expect(log).toEqual(['stand at 0', 'confirm', ...RESUMED]);
  });

  describe('where a newer release wrote a backup that cannot be read', () => {
    const item = { ...createEvent('sub_1', 3), undecodable: true } as const;
    const backup = () => Promise.reject(new UndecodableEvent({ ...item, reason: 'newer_version' }));

    it('is the checkpoint', async () => {
      const { recovery } = create({ checkpoint: at(4), backup });
      expect(await recovery.resume()).toBe(at(4));
    });

    it('is nowhere without one: it would be the beginning, and all history would be sent again', async () => {
      await expect(create({ backup }).recovery.resume()).rejects.toThrow(UndecodableEvent);
    });
  });
});
