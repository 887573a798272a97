import { describe, expect, it, vi } from 'vitest';
import {
  DELIVERIES_AT_ONCE,
  ENDPOINT_ATTEMPTS_AT_ONCE,
  HOLD_BACK_MS,
  REQUEUED_FOR_MS,
  RETRY_SOON_MS,
} from '../../limits.js';
import type { AfterAttempt } from '../../jobs/retry-worker.js';
import { delivery } from '../send/spec-support/delivery.js';
import { createDeliveries } from '../spec-support/deliveries.js';
import { nextTurn } from '../../spec-support/fakes.js';

const OVER = { kind: 'over' };

async function putOff(after: Promise<AfterAttempt>) {
  const { kind, forMs = -1 } = (await after) as { kind: string; forMs?: number };
  return { kind, forMs };
}

describe('deliveries', () => {
  it('wait until it is known whether Redis has lost something', async () => {
    const { upkeep, runs, begin } = createDeliveries();
    await begin(delivery(1));
    expect(runs).toEqual([]);
    upkeep.start();
    expect(runs).toEqual(['msg_1']);
  });

  it('are not made again where they had ended: their batch came again', async () => {
    const { upkeep, runs, begin, ended } = createDeliveries();
    upkeep.start();
    ended.add(delivery(1).member);
    await begin(delivery(1), delivery(2));
    expect(runs).toEqual(['msg_2']);
  });

  it('go one after the other for a subject, when the end of the one before is noted', async () => {
    const { upkeep, runs, begin, end } = createDeliveries();
    upkeep.start();
    await begin(delivery(1, 'whe_1', 'sub'), delivery(2, 'whe_1', 'sub'), delivery(3, 'whe_1'));
    expect(runs).toEqual(['msg_1', 'msg_3']);
    await end('msg_1');
    expect(runs).toEqual(['msg_1', 'msg_3', 'msg_2']);
  });

  it('that failed are made by their jobs, one beside all first attempts at their endpoint', async () => {
    const { upkeep, runs, begin, end, makeRetry } = createDeliveries();
    upkeep.start();
    await begin(delivery(1), delivery(2));
    for (const n of [1, 2]) await end(`msg_${n}`, { kind: 'requeued' });
    await upkeep.check();
    await begin(...Array.from({ length: 500 }, (_, n) => delivery(n + 10)));
    const made = runs.length;
    void makeRetry(delivery(1), 1);
    expect(runs.slice(made)).toEqual(['msg_1']);
    const { kind, forMs } = await putOff(makeRetry(delivery(2), 1));
    expect([kind, forMs >= RETRY_SOON_MS]).toEqual(['putOff', true]);
    expect(runs).toHaveLength(made + 1);
  });

  it('have no job any more where they have ended, and none that runs twice', async () => {
    const { upkeep, runs, begin, end, makeRetry } = createDeliveries();
    upkeep.start();
    await begin(delivery(1));
    await end('msg_1', { kind: 'requeued' });
    const [made, again] = [makeRetry(delivery(1), 1), makeRetry(delivery(1), 1)];
    expect(await again).toMatchObject({ kind: 'putOff' });
    await end('msg_1');
    expect([await made, await makeRetry(delivery(1), 2)]).toEqual([OVER, OVER]);
    expect(runs).toEqual(['msg_1', 'msg_1']);
  });

  it('are not made by the job of a process that may not act, as far as it knows', async () => {
    const { upkeep, runs, begin, end, makeRetry, lease } = createDeliveries();
    upkeep.start();
    await begin(delivery(1));
    await end('msg_1', { kind: 'requeued' });
    Object.assign(lease, { lastsUntilMs: -1 });
    expect(await makeRetry(delivery(1), 1)).toEqual({ kind: 'putOff', forMs: REQUEUED_FOR_MS });
    expect(runs).toEqual(['msg_1']);
  });

  it('to one endpoint, and of one app, leave slots for others', async () => {
    const { upkeep, runs, begin } = createDeliveries();
    upkeep.start();
    await begin(...Array.from({ length: 500 }, (_, n) => delivery(n)));
    expect(runs.length).toBeLessThanOrEqual(ENDPOINT_ATTEMPTS_AT_ONCE);
    expect(runs.length).toBeLessThan(DELIVERIES_AT_ONCE / 2);
    await begin(delivery(1_000, 'whe_2'));
    expect(runs.at(-1)).toBe('msg_1000');
  });

  it('wait while their endpoint is disabled, and go slowly at first when it is enabled', async () => {
    const { upkeep, runs, begin, end, change, makeRetry, promoted } = createDeliveries();
    upkeep.start();
    await begin(delivery(1), delivery(0));
    await end('msg_0', { kind: 'requeued' });
    await end('msg_1', { kind: 'held' });
    expect(await makeRetry(delivery(0), 1)).toMatchObject({ kind: 'putOff' });
    await begin(...Array.from({ length: 9 }, (_, n) => delivery(n + 2)));
    change('webhook_endpoint-whe_2');
    expect(runs).toEqual(['msg_0', 'msg_1']);
    change('webhook_endpoint-whe_1');
    await nextTurn();
    expect(runs).toEqual(['msg_0', 'msg_1', 'msg_1']);
    expect(promoted).toEqual([delivery(0).member]);
  });

  it('do not wait for ever for an endpoint that was enabled while it was looked at', async () => {
    const { upkeep, runs, begin, end } = createDeliveries();
    upkeep.start();
    await begin(delivery(1));
    await end('msg_1', { kind: 'held' });
    await upkeep.check();
    expect(runs).toEqual(['msg_1', 'msg_1']);
  });

  it('pass one of their subject that has failed for an hour, and wait for it until then', async () => {
    const { upkeep, runs, begin, end, firstFailure, makeRetry } = createDeliveries();
    upkeep.start();
    await begin(delivery(1, 'whe_1', 'sub'), delivery(2, 'whe_1', 'sub'));
    firstFailure.atMs = Date.now() - HOLD_BACK_MS + 60_000;
    await end('msg_1', { kind: 'requeued' });
    await upkeep.check();
    expect(runs).toEqual(['msg_1']);
    firstFailure.atMs = Date.now() - HOLD_BACK_MS;
    void makeRetry(delivery(1, 'whe_1', 'sub'), 1);
    await end('msg_1', { kind: 'requeued' });
    await upkeep.check();
    expect(runs).toEqual(['msg_1', 'msg_1', 'msg_2']);
  });

  it('begin only while the lease lasts, and again when it is renewed', async () => {
    vi.useFakeTimers();
    const { upkeep, runs, begin, lease } = createDeliveries();
    Object.assign(lease, { lastsUntilMs: -1 });
    upkeep.start();
    await begin(delivery(1));
    expect(runs).toEqual([]);
    Object.assign(lease, { lastsUntilMs: Infinity });
    vi.advanceTimersByTime(REQUEUED_FOR_MS);
    expect(runs).toEqual(['msg_1']);
    vi.useRealTimers();
  });

  it('wait at their endpoint until the ends of others are noted: a crash would send these again', async () => {
    const { upkeep, runs, begin, end, noted } = createDeliveries();
    upkeep.start();
    let note: () => void = () => undefined;
    noted.ends = new Promise((resolve) => (note = resolve));
    await begin(...Array.from({ length: 100 }, (_, n) => delivery(n)));
    const most = ENDPOINT_ATTEMPTS_AT_ONCE - 1;
    await end('msg_0');
    expect(runs).toHaveLength(most);
    note();
    await end('');
    expect(runs).toHaveLength(most + 1);
  });

  it('go one by one while the breaker of their endpoint is half open, retries among them', async () => {
    const { upkeep, runs, begin, end, limiter, makeRetry } = createDeliveries();
    upkeep.start();
    await begin(delivery(1));
    await end('msg_1', { kind: 'requeued' });
    limiter.enabled('whe_1');
    await begin(delivery(2), delivery(3));
    expect(runs).toEqual(['msg_1', 'msg_2']);
    expect(await makeRetry(delivery(1), 1)).toMatchObject({ kind: 'putOff' });
    await limiter.succeeded('whe_1');
    void makeRetry(delivery(1), 1);
    await end('msg_2');
    expect(runs).toEqual(['msg_1', 'msg_2', 'msg_1', 'msg_3']);
  });

  it('begin no more when the partition is given up', async () => {
    const { upkeep, runs, begin } = createDeliveries();
    upkeep.start();
    upkeep.end();
    await begin(delivery(1));
    expect(runs).toEqual([]);
  });
});
