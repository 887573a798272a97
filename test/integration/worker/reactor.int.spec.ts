import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Instant } from '#domain/event';
import { deriveCheckoutPaymentId, deriveSubscriptionId } from '#domain/ids';
import { paymentAggregate } from '#domain/payment';
import { newId, newUuid, wallClock } from '#platform';
import { workerKeys } from '#worker-state';
import { eventually } from '../../support/eventually.js';
import { periodCharge } from '../../../libs/domain/src/payment/spec-support/period-charge.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { World } from './world.js';

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
});
