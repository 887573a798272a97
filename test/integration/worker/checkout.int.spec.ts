import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { verifyWebhook } from '#webhooks';
import { eventually } from '../../support/eventually.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { World } from './world.js';

describe('from the checkout to the webhook', () => {
  let world: World;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    world = await World.start();
    receiver = await startWebhookReceiver();
    world.onStop(() => receiver.close());
    await world.startWorker();
  });

  afterAll(() => world.stop());

  const toldOf = (id: string) =>
    receiver.received.filter(({ data }) => data['id'] === id || data['subscription_id'] === id);

  it('charges, subscribes, uses the link up, and tells in order, signed', async () => {
    const appId = await world.createApp();
    const { secret } = await world.addEndpoint(appId, receiver.url);
    const subscriptionId = await world.buy(appId);
    await receiver.until(() => toldOf(subscriptionId).length === 2);

    const subscription = await world.subscription(subscriptionId);
    expect(subscription).toMatchObject({ status: 'active', periodsPaid: 1 });
    const [paid, created] = toldOf(subscriptionId);
    expect([paid?.type, created?.type]).toEqual(['payment.succeeded', 'subscription.created']);
    expect([paid, created].map((told) => told?.headers['service-event-sequence'])).toEqual([
      '1',
      '2',
    ]);
    expect(created?.headers['service-retry-count']).toBe('0');
    const body = created?.bytes.toString() ?? '';
    const nowSeconds = Math.floor(Date.now() / 1000);
    expect(verifyWebhook(secret, created?.headers ?? {}, body, nowSeconds)).toBe(true);
    expect(verifyWebhook(secret, created?.headers ?? {}, `${body} `, nowSeconds)).toBe(false);
  });

  it('opens the link again when the payment is declined, and creates nothing', async () => {
    const appId = await world.createApp();
    await world.addEndpoint(appId, receiver.url);
    const { linkId, subscriptionId, paymentId } = await world.attemptCheckout(appId, {
      paymentMethod: 'pm_decline_insufficient_funds',
    });
    await receiver.until(() => toldOf(paymentId).length === 1);
    expect(toldOf(paymentId)[0]?.type).toBe('payment.failed');
    await eventually(async () => (await world.link(linkId)).status === 'open', {
      what: 'the link',
    });
    await expect(world.subscription(subscriptionId)).rejects.toThrow('there is no');
  });

  it('starts a trial without a charge', async () => {
    const appId = await world.createApp();
    await world.addEndpoint(appId, receiver.url);
    const trial = { value: 7, unit: 'day' } as const;
    const subscriptionId = await world.buy(appId, { trial });
    await receiver.until(() => toldOf(subscriptionId).length === 1);
    expect(toldOf(subscriptionId)[0]?.type).toBe('subscription.created');
    expect((await world.subscription(subscriptionId)).paymentIds).toEqual([]);
  });

  it('charges once though the answer of the gateway is lost', async () => {
    const appId = await world.createApp();
    const subscriptionId = await world.buy(appId, { paymentMethod: 'pm_timeout' });
    const [paymentId = ''] = (await world.subscription(subscriptionId)).paymentIds;
    const charged = await world.facts(`payment-${paymentId}`);
    expect(charged.map(({ type }) => type)).toEqual([
      'payment.requested.v1',
      'payment.captured.v1',
    ]);
  });

  it('asks again for a charge that is pending', async () => {
    const appId = await world.createApp();
    const subscriptionId = await world.buy(appId, { paymentMethod: 'pm_pending' });
    expect((await world.subscription(subscriptionId)).status).toBe('active');
  });

  it('tells an endpoint of the types that it asked for, and of no others', async () => {
    const appId = await world.createApp();
    const picky = await startWebhookReceiver();
    world.onStop(() => picky.close());
    await world.addEndpoint(appId, picky.url, ['payment.*']);
    await world.addEndpoint(appId, receiver.url, ['subscription.created']);
    const subscriptionId = await world.buy(appId);
    await picky.until((received) => received.length === 1);
    await receiver.until(() => toldOf(subscriptionId).length === 1);
    expect(picky.received[0]?.type).toBe('payment.succeeded');
    expect(toldOf(subscriptionId)[0]?.headers['service-event-sequence']).toBe('2');
  });
});
