import { type Backup, type BackupRecord, foldRecords, inFlightMember } from '#checkpoint-backup';
import { createEvent, silent } from '../../spec-support/fakes.js';
import type { BackupLog } from '../backup-log.js';
import { CheckpointBackup } from '../checkpoint-backup.js';
import type { FeedProgress } from '../feed-progress.js';

export const member = (n: number) => inFlightMember(createEvent(`sub_${n}`, n), 'whe_1', 'msg_1');

export const NOTHING = {
  ...{ begun: [], ended: [], askAgain: [], parked: [], unparked: [], exhausted: [], cursors: [] },
};

/** A backup over what a Redis would know: a position, what is in flight, and the lines of what changed. */
export function createBackup() {
  const lines: string[] = [];
  const redis = { position: '', identity: 'e 1', inFlight: new Set<string>(), lines };
  const records: BackupRecord[] = [];
  const failing = { append: false, drop: false };
  const reads = { count: 0 };
  const progress: Partial<FeedProgress> = {
    read: async (limit) =>
      redis.position === ''
        ? undefined
        : {
            position: redis.position,
            identity: redis.identity,
            lines: redis.lines.slice(0, limit),
            lineCount: redis.lines.length,
          },
    drop: async (count) => {
      if (failing.drop) throw new Error('Redis is away');
      redis.lines.splice(0, count);
    },
  };
  const { log, readBackup } = createLog(records, failing, reads);
  const whileRead: (() => void)[] = [];
  const inFlight = {
    async *pages() {
      for (const act of whileRead.splice(0)) act();
      yield [...redis.inFlight].map((each) => ({ member: each, dueAtMs: null }));
    },
  };
  const batches = { lastEventAt: '' };
  const backup = new CheckpointBackup(
    progress as FeedProgress,
    log as BackupLog,
    batches,
    inFlight,
    { read: async () => [] },
    { read: async () => new Map() },
    { all: new Map() },
    silent,
  );
  const begin = (n: number) => {
    redis.inFlight.add(member(n));
    redis.lines.push(`+${member(n)}`);
  };
  const end = (n: number) => {
    redis.inFlight.delete(member(n));
    redis.lines.push(`-${member(n)}`);
  };
  const known = () => [...(readBackup()?.inFlight.keys() ?? [])];
  const acts = { begin, end, known, readBackup };
  return { backup, batches, redis, records, reads, failing, whileRead, ...acts };
}

/** The records as the store has them. */
function createLog(
  records: BackupRecord[],
  failing: { readonly append: boolean },
  reads: { count: number },
) {
  const readBackup = (): Backup | undefined =>
    records.length === 0
      ? undefined
      : foldRecords(records.slice(records.findLastIndex(({ scope }) => scope === 'whole')));
  const log: Partial<BackupLog> = {
    read: async () => {
      reads.count += 1;
      return { backup: readBackup(), revision: records.length - 1 };
    },
    append: async (revision, added) => {
      if (failing.append || revision !== records.length - 1) throw new Error('a conflict');
      records.push(...added);
      return records.length - 1;
    },
  };
  return { log, readBackup };
}
