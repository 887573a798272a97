import { describe, expect, it } from '@jest/globals';
import {
  type Backup,
  type BackupRecord,
  foldRecords,
  inFlightMember,
  type ParkedEntry,
} from '#checkpoint-backup';
import { at, createEvent, silent } from '../spec-support/fakes.js';
import type { BackupLog } from './backup-log.js';
import { CheckpointBackup } from './checkpoint-backup.js';
import type { FeedProgress } from './feed-progress.js';

const member = (n: number) => inFlightMember(createEvent(`sub_${n}`, n), 'whe_1', 'msg_1');

const entry: ParkedEntry = {
  ...{ streamName: 'subscription-sub_3', revision: 0, position: at(3), type: 'x' },
  ...{ reason: 'not known', release: 'r1', begunUpTo: '' },
};

/** A whole that is read while something happens between two of its reads. */
async function readWhole(meanwhile: (redis: Known) => void): Promise<Backup> {
  const redis: Known = { inFlight: new Set(), cursors: new Map(), parked: new Map() };
  redis.cursors.set('whe_1', at(2));
  redis.parked.set(entry.streamName, entry);
  const records: BackupRecord[] = [];
  const progress: Partial<FeedProgress> = {
    read: async () => ({ position: at(9), identity: 'e 1', lines: [], lineCount: 0 }),
    drop: async () => undefined,
  };
  const log: Partial<BackupLog> = {
    read: async () => ({ backup: undefined, revision: -1 }),
    append: async (_, added) => records.push(...added),
  };
  const inFlight = {
    async *pages() {
      yield [...redis.inFlight].map((each) => ({ member: each, dueAtMs: null }));
      // Redis has answered, and the next answer is not there yet.
      meanwhile(redis);
    },
  };
  const backup = new CheckpointBackup(
    progress as FeedProgress,
    log as BackupLog,
    { lastEventAt: '' },
    inFlight,
    { read: async () => [...redis.parked.values()] },
    { read: async () => new Map() },
    { all: redis.cursors },
    silent,
  );
  await backup.write(() => true);
  return foldRecords(records);
}

interface Known {
  readonly inFlight: Set<string>;
  readonly cursors: Map<string, string>;
  readonly parked: Map<string, ParkedEntry>;
}

describe('a whole of the backup, of which all may be left that is known', () => {
  it('has an endpoint lag behind from before what began while the whole was read', async () => {
    const { inFlight, cursors } = await readWhole((redis) => {
      redis.inFlight.add(member(3));
      redis.cursors.set('whe_1', at(4));
    });
    expect([[...inFlight], [...cursors]]).toEqual([[], [['whe_1', at(2)]]]);
  });

  it('has a stream parked that went on while the whole was read', async () => {
    const { inFlight, parked } = await readWhole((redis) => {
      redis.inFlight.add(member(3));
      redis.parked.clear();
    });
    expect([[...inFlight], [...parked.values()]]).toEqual([[], [entry]]);
  });
});
