import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMilliseconds } from '#domain/calendar';
import { accessEndsAt } from '#domain/subscription';
import { SETTLE_LIMIT_MS } from '../../../apps/worker/src/limits.js';
import { eventually } from '../../support/eventually.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import type { RunningWorker } from './worker-here.js';
import { World } from './world.js';

const DAY_MS = 86_400_000;
const WEEK = { value: 1, unit: 'week' } as const;

describe('the test clock', () => {
  let world: World;
  let worker: RunningWorker;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    world = await World.start();
    receiver = await startWebhookReceiver();
    world.onStop(() => receiver.close());
    worker = await world.startWorker();
  });

  afterAll(() => world.stop());

  it('is not held by a charge that is pending, and access is kept until it has its outcome', async () => {
    const appId = await world.createApp();
    const subscriptionId = await world.buy(appId, { paymentMethod: 'pm_pending' });
    const { currentPeriodEnd } = await world.subscription(subscriptionId);
    const graceEndsAt = addMilliseconds(currentPeriodEnd, 2 * DAY_MS);
    const periods: number[] = [];
    const held = worker.holdPendingCharges();
    for (const days of [0, 1]) {
      await world.advance(appId, addMilliseconds(currentPeriodEnd, days * DAY_MS));
      const subscription = await world.subscription(subscriptionId);
      periods.push(subscription.periodsPaid);
      expect(subscription.status).toBe('active');
      expect(accessEndsAt(subscription)).toBe(graceEndsAt);
    }
    expect(periods).toEqual([1, 1]);
    held.letGo();
    const isPaid = async () => (await world.subscription(subscriptionId)).periodsPaid === 2;
    await eventually(isPaid, { what: 'the later notice of the gateway' });
    const { status, currentPeriodEnd: next } = await world.subscription(subscriptionId);
    expect([status, next > graceEndsAt]).toEqual(['active', true]);
  });

  it('is not held by a gateway that is down', async () => {
    const appId = await world.createApp();
    const method = { paymentMethod: 'pm_unavailable', trial: WEEK };
    const subscriptionId = await world.buy(appId, method);
    const { currentPeriodEnd } = await world.subscription(subscriptionId);
    const startedAtMs = performance.now();
    for (const days of [0, 1, 2, 3]) {
      await world.advance(appId, addMilliseconds(currentPeriodEnd, days * DAY_MS));
    }
    // Four times the limit of one wait would be 20 s.
    expect(performance.now() - startedAtMs).toBeLessThan(4 * SETTLE_LIMIT_MS);
    // It was given up at the end of grace, on the way.
    expect(await world.subscription(subscriptionId)).toMatchObject({
      ...{ status: 'expired', periodsPaid: 0, pendingCharge: null },
      expiredAt: addMilliseconds(currentPeriodEnd, 2 * DAY_MS),
    });
  });

  it('goes on ticking at its target, and takes up what is due then', async () => {
    const appId = await world.createApp();
    const subscriptionId = await world.buy(appId);
    const { currentPeriodEnd } = await world.subscription(subscriptionId);
    await world.advance(appId, addMilliseconds(currentPeriodEnd, -1_500));
    expect((await world.subscription(subscriptionId)).periodsPaid).toBe(1);
    const endsAt = Date.now() + 10_000;
    while ((await world.subscription(subscriptionId)).periodsPaid === 1) {
      if (Date.now() > endsAt) throw new Error('the scheduler did not renew');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
});
