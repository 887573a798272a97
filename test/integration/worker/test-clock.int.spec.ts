import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMilliseconds, addPeriods } from '#domain/calendar';
import { accessEndsAt } from '#domain/subscription';
import { SETTLE_LIMIT_MS } from '../../../apps/worker/src/limits.js';
import { eventually } from '../../support/eventually.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { listPaymentIds } from './payment-ids.js';
import type { RunningWorker } from './worker-here.js';
import { World } from './world.js';

const DAY_MS = 86_400_000;
const MONTH = { value: 1, unit: 'month' } as const;
const WEEK = { value: 1, unit: 'week' } as const;
/** Over the ends of months of several lengths; clock-history.long.spec.ts goes through a year. */
const MONTHS = 5;
/** Of the purchase and of each renewal: about the payment, and about the subscription. */
const MESSAGES = 2 * (MONTHS + 1);

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

  it('renews month after month, each on its day', async () => {
    const appId = await world.createApp();
    await world.addEndpoint(appId, receiver.url);
    const subscriptionId = await world.buy(appId);
    const { createdAt } = await world.subscription(subscriptionId);
    await world.advance(appId, addMilliseconds(addPeriods(createdAt, MONTH, MONTHS), 1));
    const subscription = await world.subscription(subscriptionId);
    expect(subscription.periodsPaid).toBe(MONTHS + 1);
    expect(subscription.currentPeriodEnd).toBe(addPeriods(createdAt, MONTH, MONTHS + 1));
    const renewals = (await world.events(`subscription-${subscriptionId}`))
      .filter(({ type }) => type === 'subscription.renewed.v1')
      .map(({ data }) => (data as { renewedAt: string }).renewedAt);
    const dueDates = Array.from({ length: MONTHS }, (_, n) => addPeriods(createdAt, MONTH, n + 1));
    expect(renewals).toEqual(dueDates);
    await receiver.until(() => receiver.sentFor(subscriptionId).length === MESSAGES);
    const sequences = receiver
      .sentFor(subscriptionId)
      .map(({ headers }) => Number(headers['service-event-sequence']));
    expect(sequences).toEqual(Array.from({ length: MESSAGES }, (_, n) => n + 1));
  });

  it('goes through dunning to the end, each attempt at its time, with webhooks in the order of the table', async () => {
    const appId = await world.createApp();
    await world.addEndpoint(appId, receiver.url);
    const subscriptionId = await world.buy(appId, { paymentMethod: 'pm_renewal_declines' });
    const { currentPeriodEnd: dueAt } = await world.subscription(subscriptionId);
    await world.advance(appId, addMilliseconds(dueAt, 10 * DAY_MS));
    const subscription = await world.subscription(subscriptionId);
    const graceEndsAt = addMilliseconds(dueAt, 2 * DAY_MS);
    expect(subscription).toMatchObject({ status: 'expired', expiredAt: graceEndsAt });
    await receiver.until(
      () => receiver.typesSentFor(subscriptionId).at(-1) === 'subscription.expired',
    );
    const failure = ['payment.failed', 'subscription.payment_failed'];
    expect(receiver.typesSentFor(subscriptionId)).toEqual([
      ...['payment.succeeded', 'subscription.created'],
      ...[...failure, ...failure, ...failure, 'subscription.expired'],
    ]);
    const failedAt = receiver
      .sentFor(subscriptionId)
      .filter(({ type }) => type === 'payment.failed')
      .map(({ data }) => data['failed_at']);
    expect(failedAt).toEqual([dueAt, addMilliseconds(dueAt, DAY_MS), graceEndsAt]);
    const statuses = receiver
      .sentFor(subscriptionId)
      .filter(({ type }) => type.startsWith('subscription.'))
      .map(({ data }) => data['status']);
    expect(statuses).toEqual(['active', 'past_due', 'past_due', 'past_due', 'expired']);
  });

  it('recovers a renewal on the retry and keeps the billing day', async () => {
    const appId = await world.createApp();
    await world.addEndpoint(appId, receiver.url);
    const method = 'pm_renewal_declines_once';
    const subscriptionId = await world.buy(appId, { paymentMethod: method });
    const { currentPeriodEnd: dueAt, createdAt } = await world.subscription(subscriptionId);
    await world.advance(appId, addMilliseconds(dueAt, 3 * DAY_MS));
    expect(await world.subscription(subscriptionId)).toMatchObject({
      status: 'active',
      currentPeriodEnd: addPeriods(createdAt, MONTH, 2),
    });
    const expected = ['payment.succeeded', 'subscription.created', 'payment.failed'];
    expected.push('subscription.payment_failed', 'payment.succeeded');
    expected.push('subscription.payment_succeeded');
    await receiver.until(() => receiver.typesSentFor(subscriptionId).length === expected.length);
    expect(receiver.typesSentFor(subscriptionId)).toEqual(expected);
  });

  it('ends a canceled subscription at its period, without a charge', async () => {
    const appId = await world.createApp();
    await world.addEndpoint(appId, receiver.url);
    const subscriptionId = await world.buy(appId);
    await world.cancel(appId, subscriptionId);
    const { currentPeriodEnd } = await world.subscription(subscriptionId);
    await world.advance(appId, currentPeriodEnd);
    const subscription = await world.subscription(subscriptionId);
    expect(subscription).toMatchObject({ status: 'expired', expiredAt: currentPeriodEnd });
    expect(await listPaymentIds(world, subscriptionId)).toHaveLength(1);
    await receiver.until(() => receiver.typesSentFor(subscriptionId).length === 4);
    expect(receiver.typesSentFor(subscriptionId).slice(2)).toEqual([
      'subscription.canceled',
      'subscription.expired',
    ]);
  });

  it('takes many subscriptions through a renewal', async () => {
    const appId = await world.createApp();
    await world.addEndpoint(appId, receiver.url, ['subscription.payment_succeeded']);
    const players = Array.from({ length: 10 }, (_, n) => `player-${n}`);
    const bought: string[] = [];
    const buyAll = async () => {
      for (let player = players.pop(); player !== undefined; player = players.pop()) {
        bought.push(await world.buy(appId, { player }));
      }
    };
    await Promise.all(Array.from({ length: 8 }, buyAll));
    const { currentPeriodEnd } = await world.subscription(bought.at(-1) ?? '');
    await world.advance(appId, addMilliseconds(currentPeriodEnd, DAY_MS));
    for (const subscriptionId of bought) {
      expect((await world.subscription(subscriptionId)).periodsPaid).toBe(2);
    }
    await receiver.until(() => bought.every((id) => receiver.sentFor(id).length === 1));
  });

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

  it('gives up a charge without an outcome at the end of its grace, and a late capture goes back', async () => {
    const appId = await world.createApp();
    await world.addEndpoint(appId, receiver.url);
    const subscriptionId = await world.buy(appId, { paymentMethod: 'pm_pending', trial: WEEK });
    const { currentPeriodEnd } = await world.subscription(subscriptionId);
    const graceEndsAt = addMilliseconds(currentPeriodEnd, 2 * DAY_MS);
    const held = worker.holdPendingCharges();
    await world.advance(appId, addMilliseconds(currentPeriodEnd, 1));
    await world.advance(appId, addMilliseconds(currentPeriodEnd, 5 * DAY_MS));
    expect(await world.subscription(subscriptionId)).toMatchObject({
      ...{ status: 'expired', expiredAt: graceEndsAt, pendingCharge: null },
    });
    const ended = ['payment.failed', 'subscription.payment_failed', 'subscription.expired'];
    await receiver.until(() => receiver.typesSentFor(subscriptionId).length === 4);
    expect(receiver.typesSentFor(subscriptionId).slice(1)).toEqual(ended);
    const [failed] = receiver
      .sentFor(subscriptionId)
      .filter(({ type }) => type.startsWith('payment.'));
    expect(failed?.data).toMatchObject({ reason: 'issuer_unavailable', failed_at: graceEndsAt });
    held.letGo();
    await receiver.until(() => receiver.typesSentFor(subscriptionId).length === 6);
    expect(receiver.typesSentFor(subscriptionId).slice(4)).toEqual([
      ...['payment.succeeded', 'payment.refunded'],
    ]);
    expect(await world.subscription(subscriptionId)).toMatchObject({ periodsPaid: 0 });
    const atGateway = await world.events(`sandbox_account-${subscriptionId}`);
    const types = atGateway.map(({ type }) => type);
    expect(types.filter((type) => type === 'sandbox.charged.v1')).toHaveLength(1);
    expect(types.at(-1)).toBe('sandbox.refunded.v1');
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
