import { describe, expect, it } from 'vitest';
import type { DeliveryLogWriter } from '../delivery/send/delivery-log-writer.js';
import type { CheckpointBackup } from '../backup/checkpoint-backup.js';
import type { PartitionFeed } from '../feed/partition-feed.js';
import { nextTurn, silent } from '../spec-support/fakes.js';
import { type JobRunners, PartitionLoops } from './partition-loops.js';

/** The loops of a partition whose feed finds its position when it is let. */
function create() {
  const log: string[] = [];
  const resumed = new AbortController();
  const loop = (name: string) => ({ run: async () => void log.push(name) });
  const feed: Partial<PartitionFeed> = {
    untilResumed: async (signal) => {
      while (!resumed.signal.aborted && !signal.aborted) await nextTurn();
      return !signal.aborted;
    },
    retryParked: async () => void log.push('parked'),
  };
  const jobs: Partial<JobRunners> = {
    ...loop('jobs'),
    end: () => void log.push('jobs end'),
    stop: async () => undefined,
  };
  const backup: Partial<CheckpointBackup> = {
    ...loop('backup'),
    writeLast: async () => void log.push('last backup'),
  };
  const deliveryLog: Partial<DeliveryLogWriter> = {
    ...loop('delivery log'),
    writeRest: async () => void log.push('last attempts'),
  };
  const loops = new PartitionLoops(
    ...([[loop('scheduler'), loop('gateway')], jobs as JobRunners] as const),
    ...([backup as CheckpointBackup, deliveryLog as DeliveryLogWriter] as const),
    ...([feed as PartitionFeed, silent] as const),
  );
  return { loops, log, resume: () => resumed.abort() };
}

describe('the loops of a partition', () => {
  it('begin when the feed knows whether Redis has lost something, and not before', async () => {
    const { loops, log, resume } = create();
    loops.start();
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
    expect(log).toEqual([]);
    resume();
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
    expect([...log].sort()).toEqual(
      ['scheduler', 'gateway', 'jobs', 'backup', 'delivery log', 'parked'].sort(),
    );
    await loops.stop();
  });

  it('end in order where the feed never found out', async () => {
    const { loops, log } = create();
    loops.start();
    await loops.stop();
    expect(log).toEqual(['jobs end', 'last backup', 'last attempts']);
  });

  it('begin no jobs any more from the moment when the partition is given up', async () => {
    const { loops, log, resume } = create();
    loops.start();
    resume();
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
    loops.end();
    expect(log.at(-1)).toBe('jobs end');
    await loops.stop();
  });
});
