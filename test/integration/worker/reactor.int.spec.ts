import { Redis } from 'ioredis';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMilliseconds, addPeriods } from '#domain/calendar';
import type { Instant } from '#domain/event';
import { deriveCheckoutPaymentId, deriveId, deriveSubscriptionId } from '#domain/ids';
import { paymentAggregate } from '#domain/payment';
import { subscriptionAggregate } from '#domain/subscription';
import { newId, newUuid, wallClock } from '#platform';
import { workerKeys } from '#worker-state';
import { eventually } from '../../support/eventually.js';
import { periodCharge } from '../../../libs/domain/src/payment/spec-support/period-charge.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { listPaymentIds } from './payment-ids.js';
import { World } from './world.js';

const DAY_MS = 86_400_000;
const MONTH = { value: 1, unit: 'month' } as const;

describe('the reactor and the scheduler', () => {
  let world: World;
  let receiver: WebhookReceiver;
  let redis: Redis;
  let parkedKey: string;
  let worker: Awaited<ReturnType<World['startWorker']>>;

  beforeAll(async () => {
    world = await World.start();
    receiver = await startWebhookReceiver();
    redis = new Redis(world.redis.url);
    parkedKey = workerKeys((await world.client.namespaces.require()).layoutId, 0).parked;
    world.onStop(() => redis.disconnect());
    world.onStop(() => receiver.close());
    worker = await world.startWorker();
  });

  afterAll(() => world.stop());

  const context = (appId: string, now: Instant) => ({
    ...{ appId, environment: 'test' as const, actor: 'app', correlationId: 'request-1' },
    ...{ player: 'player-1', now },
  });

  const terms = (appId: string, subscriptionId: string, checkoutLinkId: string) => ({
    ...{
      subscriptionId,
      appId,
      // A pseudonym is one app's alone.
      player: `5f${createHash('sha256').update(appId).digest('hex').slice(0, 30)}`,
      planId: 'plan_gold',
    },
    ...{ price: { amountMinor: '999', currency: 'USD' }, period: MONTH, trial: null },
    ...{ paymentMethod: 'pm_ok', checkoutLinkId, regionCode: 'US', personal: {} },
  });

  it('parks a stream with an event that it does not know, and goes on with the others', async () => {
    const appId = await world.createApp();
    await world.addEndpoint(appId, receiver.url);
    const strange = await world.buy(appId, { player: 'player-strange' });
    await receiver.until(() => receiver.sentFor(strange).length === 2);
    const streamName = `subscription-${strange}`;
    const metadata = (await world.events(streamName))[0]!.metadata;
    const event = { id: newUuid(), type: 'subscription.teleported.v9', data: {}, metadata };
    await world.client.append(streamName, 'any', [event]);
    await eventually(async () => (await redis.hexists(parkedKey, streamName)) === 1, {
      what: 'a parked stream',
    });
    const canceled = { ...event, id: newUuid(), type: 'subscription.canceled.v1' };
    const data = { canceledAt: wallClock.now(), accessEndsAt: wallClock.now() };
    await world.client.append(streamName, 'any', [{ ...canceled, data }]);
    const other = await world.buy(appId, { player: 'player-other' });
    await receiver.until(() => receiver.sentFor(other).length === 2);
    expect(receiver.sentFor(strange)).toHaveLength(2);
    const parked = JSON.parse((await redis.hget(parkedKey, streamName)) ?? '') as object;
    expect(parked).toMatchObject({ revision: 1, reason: expect.stringContaining('unknown_type') });
  });

  it('takes a parked stream up again at the next start, when its reason is gone', async () => {
    const appId = await world.createApp();
    const now = wallClock.now();
    const linkId = newId('link', now, '5f');
    const subscriptionId = deriveSubscriptionId(linkId, now);
    const paymentId = deriveCheckoutPaymentId(linkId, { attempt: 1, attemptedAt: now });
    const amount = { amountMinor: '999', currency: 'USD' };
    const charge = {
      ...{
        paymentId,
        appId,
        player: '5f2a9c04d1e84b7796ab30c2d4e5f601',
        checkoutLinkId: linkId,
      },
      ...periodCharge({ subscriptionId, amount, start: now, number: 1 }),
      ...{ paymentMethod: 'pm_ok', personal: {} },
    };
    const method = { paymentMethodSubType: '', issuerBank: '' };
    const handle = world.commands.execute.bind(world.commands);
    const around = context(appId, now);
    await handle(paymentAggregate, paymentId, { kind: 'RequestPayment', charge, now }, around);
    await handle(paymentAggregate, paymentId, { kind: 'CapturePayment', method, now }, around);
    const streamName = `payment-${paymentId}`;
    await eventually(async () => (await redis.hexists(parkedKey, streamName)) === 1, {
      what: 'a parked stream',
    });
    await world.createLink(appId, linkId, { now });
    await world.attemptOn(appId, linkId, { now });
    await worker.stop();
    worker = await world.startWorker();
    await eventually(async () => (await redis.hexists(parkedKey, streamName)) === 0, {
      what: 'the stream to go on',
    });
    await eventually(async () => (await world.link(linkId)).status === 'completed', {
      what: 'the checkout',
    });
    expect((await world.subscription(subscriptionId)).status).toBe('active');
  });

  it('bills what became due in a downtime, the periods one after the other', async () => {
    const appId = await world.createApp();
    await world.addEndpoint(appId, receiver.url, ['subscription.payment_succeeded']);
    await worker.stop();
    const createdAt = addMilliseconds(wallClock.now(), -100 * DAY_MS);
    const ids = ['a', 'b', 'c'].map((name) => deriveId('sub', createdAt, '5f', name));
    const { player } = terms(appId, '', '');
    await world.personalData.seal({ ...context(appId, createdAt), player }, 'player-1', {});
    for (const id of ids) {
      const command = {
        ...{ kind: 'CreateSubscription' as const, initialPayment: null, now: createdAt },
        terms: terms(appId, id, 'link_none'),
      };
      await world.commands.execute(subscriptionAggregate, id, command, context(appId, createdAt));
    }
    worker = await world.startWorker();
    for (const id of ids) {
      await eventually(async () => (await world.subscription(id)).periodsPaid === 4, {
        what: 'three renewals',
      });
      const dueDates = (await world.events(`subscription-${id}`))
        .filter(({ type }) => type === 'subscription.renewed.v1')
        .map(({ data }) => (data as { dueAt: string }).dueAt);
      expect(dueDates).toEqual([1, 2, 3].map((n) => addPeriods(createdAt, MONTH, n)));
    }
  });

  it('may run twice at once: everything is charged once and sent once', async () => {
    const second = await world.startWorker();
    const appId = await world.createApp();
    await world.addEndpoint(appId, receiver.url);
    const players = Array.from({ length: 12 }, (_, n) => `player-${n}`);
    const bought = await Promise.all(players.map((player) => world.buy(appId, { player })));
    await receiver.until(() => bought.every((id) => receiver.sentFor(id).length >= 2));
    for (const id of bought) {
      expect(receiver.sentFor(id).map(({ type }) => type)).toEqual([
        'payment.succeeded',
        'subscription.created',
      ]);
      const paymentIds = await listPaymentIds(world, id);
      const types = (await world.events(`payment-${paymentIds[0] ?? ''}`)).map(({ type }) => type);
      expect(types).toEqual(['payment.requested.v3', 'payment.captured.v1']);
    }
    await second.stop();
  });

  it('may drive the same clock twice at once: each renewal on its day', async () => {
    const second = await world.startWorker();
    const appId = await world.createApp();
    const bought = [];
    for (const player of ['player-a', 'player-b', 'player-c']) {
      bought.push(await world.buy(appId, { player }));
    }
    const { createdAt } = await world.subscription(bought.at(-1) ?? '');
    await world.advance(appId, addPeriods(createdAt, MONTH, 6));
    for (const id of bought) {
      const { createdAt: start } = await world.subscription(id);
      const renewedAt = (await world.events(`subscription-${id}`))
        .filter(({ type }) => type === 'subscription.renewed.v1')
        .map(({ data }) => (data as { renewedAt: string }).renewedAt);
      expect(renewedAt).toEqual([1, 2, 3, 4, 5, 6].map((n) => addPeriods(start, MONTH, n)));
    }
    await second.stop();
  });

  it('refunds what is captured after the subscription has ended', async () => {
    const appId = await world.createApp();
    await world.addEndpoint(appId, receiver.url);
    const subscriptionId = await world.buy(appId, { paymentMethod: 'pm_pending' });
    const { currentPeriodEnd } = await world.subscription(subscriptionId);
    await world.requestAdvance(appId, currentPeriodEnd);
    await eventually(
      async () => (await world.subscription(subscriptionId)).pendingCharge !== null,
      { what: 'the pending renewal' },
    );
    await world.cancel(appId, subscriptionId, false);
    const refunded = () =>
      receiver.sentFor(subscriptionId).some(({ type }) => type === 'payment.refunded');
    await eventually(refunded, { what: 'the refund' });
    const types = receiver.sentFor(subscriptionId).map(({ type }) => type);
    expect(types.slice(2)).toEqual([
      'subscription.expired',
      'payment.succeeded',
      'payment.refunded',
    ]);
    const paymentIds = await listPaymentIds(world, subscriptionId);
    expect(await world.payment(paymentIds[1] ?? '')).toMatchObject({ status: 'REFUNDED' });
  });
});
