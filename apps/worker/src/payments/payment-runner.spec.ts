import { describe, expect, it, vi } from 'vitest';
import { Fault } from '#platform';
import { Partitions } from '#event-store';
import { Fenced } from '#projection-engine';
import {
  OVERDUE_AFTER_MS,
  PAYMENT_JOBS_AT_ONCE,
  REQUEUED_FOR_MS,
  RETRY_SOON_MS,
  WAITING_KEPT,
} from '../limits.js';
import { oldestWaiting, overdueAtGateway } from '../metrics.js';
import { createLease, nextTurn, silent } from '../spec-support/fakes.js';
import type { PaymentHandler } from './payment-handler.js';
import type { PaymentJob } from './payment-jobs.js';
import { PaymentRunner } from './payment-runner.js';

const SHARE = PAYMENT_JOBS_AT_ONCE / 2;
const LATE_MS = Date.parse('2027-01-01T00:00:00.000Z');
const AWAY = new Fault('unavailable', 'the gateway is down', { retryable: true });

function job(id: string, appId = 'app_1'): PaymentJob {
  const data = { kind: 'refund', paymentId: '', refundId: id, inFlight: `member ${id}` } as const;
  // Other fields of a causation do not matter here.
  return { id, data: { ...data, causation: { appId } as never }, attemptsMade: 0 };
}

/** A runner whose jobs run until they are ended, by an error or without. */
function create() {
  const runs: string[] = [];
  const exhausted: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const handler: Partial<PaymentHandler> = {
    process: ({ id, attemptsMade }) => {
      runs.push(`${id} ${attemptsMade}`);
      return new Promise((resolve, reject) => {
        ends.set(id, (error) => (error === undefined ? resolve() : reject(error)));
      });
    },
    onExhausted: async ({ id }) => void exhausted.push(id),
  };
  const lease = createLease();
  const inFlight = { countDue: async (byMs: number) => (byMs <= LATE_MS ? 3 : 99) };
  const around = [inFlight, new Partitions(1), lease, silent] as const;
  const runner = new PaymentRunner(handler as PaymentHandler, ...around);
  const end = async (id: string, error?: Error) => {
    ends.get(id)?.(error);
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  };
  return { runner, runs, exhausted, lease, end, fenced: new Fenced(lease.fence) };
}

const many = (count: number, appId?: string) =>
  Array.from({ length: count }, (_, n) => job(`${appId ?? 'ref'}_${n}`, appId));

describe('charges and refunds', () => {
  it('wait until it is known whether Redis has lost something', () => {
    const { runner, runs } = create();
    runner.add([job('ref_1')]);
    expect(runs).toEqual([]);
    runner.start();
    expect(runs).toEqual(['ref_1 0']);
  });

  it('begin only while no other process can hold the partition, and by themselves once that is so', () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] });
    const { runner, runs, lease } = create();
    lease.lastsUntilMs = performance.now();
    runner.start();
    runner.add([job('ref_1')]);
    vi.advanceTimersByTime(REQUEUED_FOR_MS);
    expect(runs).toEqual([]);
    lease.lastsUntilMs = performance.now() + 2 * REQUEUED_FOR_MS;
    vi.advanceTimersByTime(REQUEUED_FOR_MS);
    vi.useRealTimers();
    expect(runs).toEqual(['ref_1 0']);
  });

  it('are there once, for as long as they are at work, however often they are added', async () => {
    const { runner, runs, end } = create();
    runner.start();
    runner.add([job('ref_1'), job('ref_1')]);
    runner.add([job('ref_1')]);
    expect(runs).toEqual(['ref_1 0']);
    expect(runner.isAtWork('member ref_1')).toBe(true);
    await end('ref_1');
    expect(runner.isAtWork('member ref_1')).toBe(false);
    runner.add([job('ref_1')]);
    expect(runs).toHaveLength(2);
  });

  it('of one app leave slots for another, and go on in their order as others end', async () => {
    const { runner, runs, end } = create();
    runner.start();
    runner.add(many(SHARE + 2));
    runner.add([job('quiet_1', 'quiet')]);
    expect(runs).toHaveLength(SHARE + 1);
    expect(runs.at(-1)).toBe('quiet_1 0');
    await end('ref_0');
    await end('quiet_1');
    await end('ref_1');
    expect(runs.slice(SHARE + 1)).toEqual([`ref_${SHARE} 0`, `ref_${SHARE + 1} 0`]);
  });

  it('for which memory has no room are left to the sweep', () => {
    const { runner } = create();
    expect(runner.jobsAtMost).toBe(WAITING_KEPT + PAYMENT_JOBS_AT_ONCE);
    runner.add(many(WAITING_KEPT));
    expect(runner.isAtWork('member ref_0')).toBe(true);
    expect(runner.isAtWork(`member ref_${WAITING_KEPT - 1}`)).toBe(false);
    runner.add([job('quiet_1', 'quiet')]);
    expect(runner.isAtWork('member quiet_1')).toBe(true);
  });

  it('show how long one of them waits, and how many were to be begun again long ago', async () => {
    const now = LATE_MS + OVERDUE_AFTER_MS;
    vi.useFakeTimers({ now, toFake: ['Date', 'performance'] });
    const { runner, end } = create();
    const shown = async () => {
      await runner.check();
      const gauges = await Promise.all([oldestWaiting.get(), overdueAtGateway.get()]);
      return gauges.map(({ values }) => values.map(({ value }) => value));
    };
    runner.start();
    runner.add(many(SHARE));
    expect(await shown()).toEqual([[0], [3]]);
    runner.add([job('ref_waits')]);
    vi.advanceTimersByTime(7_000);
    vi.setSystemTime(now);
    expect(await shown()).toEqual([[7], [3]]);
    await end('ref_0');
    expect(await shown()).toEqual([[0], [3]]);
    vi.useRealTimers();
  });

  it('that fail are tried once more, and are asked about later then', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] });
    const { runner, runs, exhausted, end } = create();
    runner.start();
    runner.add([job('ref_1')]);
    await end('ref_1', AWAY);
    expect(runner.isAtWork('member ref_1')).toBe(true);
    vi.advanceTimersByTime(2 * RETRY_SOON_MS);
    expect(runs).toEqual(['ref_1 0', 'ref_1 1']);
    await end('ref_1', AWAY);
    vi.useRealTimers();
    expect(exhausted).toEqual(['ref_1']);
    expect(runner.isAtWork('member ref_1')).toBe(false);
  });

  it('come again as they were where this process may not act', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] });
    const { runner, runs, end, fenced } = create();
    runner.start();
    runner.add([job('ref_1')]);
    await end('ref_1', fenced);
    vi.advanceTimersByTime(REQUEUED_FOR_MS);
    vi.useRealTimers();
    expect(runs).toEqual(['ref_1 0', 'ref_1 0']);
  });

  it('begin no others for a moment where this process may not act', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] });
    const { runner, runs, end, fenced } = create();
    runner.start();
    runner.add(many(SHARE + 2));
    await end('ref_0', fenced);
    await end('ref_1');
    expect(runs).toHaveLength(SHARE);
    vi.advanceTimersByTime(REQUEUED_FOR_MS);
    vi.useRealTimers();
    expect(runs.slice(SHARE)).toEqual([`ref_${SHARE} 0`, `ref_${SHARE + 1} 0`]);
  });

  it('begin no more once their partition is given up, while those under way go on', async () => {
    const { runner, runs, end } = create();
    runner.start();
    runner.add(many(SHARE + 1));
    runner.end();
    await end('ref_0');
    runner.add([job('quiet_1', 'quiet')]);
    expect(runs).toHaveLength(SHARE);
  });

  it('begin no more when it stops, and those under way may end', async () => {
    const { runner, runs, end } = create();
    runner.start();
    runner.add(many(SHARE + 1));
    let isStopped = false;
    const stopped = runner.stop().then(() => (isStopped = true));
    for (let n = 0; n < SHARE - 1; n += 1) await end(`ref_${n}`);
    expect(isStopped).toBe(false);
    await end(`ref_${SHARE - 1}`, AWAY);
    await stopped;
    expect(runs).toHaveLength(SHARE);
  });
});
