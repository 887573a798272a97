import { describe, expect, it } from '@jest/globals';
import type { Scheduler } from '../billing-clock/scheduler.js';
import type { TestClockDriver } from '../test-clock/test-clock-driver.js';
import type { DeliveryLogWriter } from '../delivery/send/delivery-log-writer.js';
import type { LagReader } from '../delivery/plan/lag-reader.js';
import type { CheckpointBackup } from '../backup/checkpoint-backup.js';
import type { PartitionFeed } from '../feed/partition-feed.js';
import type { PendingPayments } from '../billing-clock/pending-payments.js';
import type { DailyReconciliation } from '../payments/daily-reconciliation.js';
import type { GatewaySweep } from '../payments/gateway-sweep.js';
import type { LostCharges } from '../payments/lost-charges.js';
import type { LostRefunds } from '../payments/lost-refunds.js';
import { nextTurn, silent } from '../spec-support/fakes.js';
import type { JobRunners } from './job-runners.js';
import { PartitionLoops } from './partition-loops.js';
import type { TimeIndexWriter } from './time-index-writer.js';

/** The loops of a partition whose feed finds where to go on when it is let. */
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
  const loops = new PartitionLoops(
    {
      ...loop('backup'),
      writeLast: async () => void log.push('last backup'),
    } as unknown as CheckpointBackup,
    loop('scheduler') as unknown as Scheduler,
    loop('test clocks') as unknown as TestClockDriver,
    {
      ...loop('jobs'),
      end: () => void log.push('jobs end'),
      stop: async () => undefined,
    } as unknown as JobRunners,
    loop('deliveries') as unknown as LagReader,
    {
      ...loop('delivery log'),
      writeRest: async () => void log.push('last attempts'),
    } as unknown as DeliveryLogWriter,
    loop('gateway') as unknown as GatewaySweep,
    loop('lost charges') as unknown as LostCharges,
    loop('lost refunds') as unknown as LostRefunds,
    loop('pending') as unknown as PendingPayments,
    loop('reconciliation') as unknown as DailyReconciliation,
    loop('time index') as unknown as TimeIndexWriter,
    feed as PartitionFeed,
    silent,
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
    expect(log).toHaveLength(13);
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
