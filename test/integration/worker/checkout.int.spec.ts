import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMilliseconds } from '#domain/calendar';
import { wallClock } from '#platform';
import { verifyWebhook } from '#webhooks';
import { eventually } from '../../support/eventually.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { listPaymentIds } from './payment-ids.js';
import type { RunningWorker } from './worker-here.js';
import { World } from './world.js';

const DAY_MS = 86_400_000;

describe('from the checkout to the webhook', () => {
  let world: World;
  let receiver: WebhookReceiver;
  let worker: RunningWorker;

  beforeAll(async () => {
    world = await World.start();
    receiver = await startWebhookReceiver();
    world.onStop(() => receiver.close());
    worker = await world.startWorker();
  });

  afterAll(() => world.stop());

  it('charges, subscribes, uses the link up, and sends signed webhooks in order', async () => {
    const appId = await world.createApp();
    const { secret } = await world.addEndpoint(appId, receiver.url);
    const subscriptionId = await world.buy(appId);
    await receiver.until(() => receiver.sentFor(subscriptionId).length === 2);

    const subscription = await world.subscription(subscriptionId);
    expect(subscription).toMatchObject({ status: 'active', periodsPaid: 1 });
    const [paid, created] = receiver.sentFor(subscriptionId);
    expect([paid?.type, created?.type]).toEqual(['payment.succeeded', 'subscription.created']);
    expect([paid, created].map((message) => message?.headers['service-event-sequence'])).toEqual([
      '1',
      '2',
    ]);
    expect(created?.headers['service-retry-count']).toBe('0');
    const body = created?.bytes.toString() ?? '';
    const nowSeconds = Math.floor(Date.now() / 1000);
    expect(verifyWebhook(secret, created?.headers ?? {}, body, nowSeconds)).toBe(true);
    expect(verifyWebhook(secret, created?.headers ?? {}, `${body} `, nowSeconds)).toBe(false);
  });

  it('charges once though the answer of the gateway is lost', async () => {
    const appId = await world.createApp();
    const subscriptionId = await world.buy(appId, { paymentMethod: 'pm_timeout' });
    const [paymentId = ''] = await listPaymentIds(world, subscriptionId);
    const charged = await world.events(`payment-${paymentId}`);
    expect(charged.map(({ type }) => type)).toEqual([
      'payment.requested.v3',
      'payment.captured.v1',
    ]);
  });

  it('is given up a day after the attempt, by the wall clock, and gives a late capture back', async () => {
    const appId = await world.createApp();
    await world.addEndpoint(appId, receiver.url, ['payment.*']);
    const held = worker.holdPendingCharges();
    // The click was nearly a day ago: its charge is pending, and has a second left.
    const wallNow = addMilliseconds(wallClock.now(), 1_500 - DAY_MS);
    const options = { paymentMethod: 'pm_pending', player: 'player-late', wallNow };
    const { linkId, paymentId } = await world.attemptCheckout(appId, options);
    const isOpen = async () => (await world.link(linkId)).status === 'open';
    await eventually(isOpen, { what: 'the charge to be given up' });
    const stored = (await world.events(`payment-${paymentId}`)).map(({ type }) => type);
    expect(stored.slice(1)).toEqual(['payment.pending.v1', 'payment.given_up.v1']);
    held.letGo();
    await receiver.until(() => receiver.typesSentFor(paymentId).length === 3);
    expect(receiver.typesSentFor(paymentId)).toEqual([
      ...['payment.failed', 'payment.succeeded', 'payment.refunded'],
    ]);
    expect(receiver.sentFor(paymentId)[0]?.data).toMatchObject({ reason: 'issuer_unavailable' });
    expect(await isOpen()).toBe(true);
  });

  it('is locked after ten declines, however many cards come at once', async () => {
    const appId = await world.createApp();
    const paymentMethod = 'pm_decline_do_not_honor';
    let wallNow = wallClock.now();
    const declines = async () => {
      const link = await world.link(linkId);
      return link.status === 'open' ? link.attempts.filter(({ decline }) => decline).length : 0;
    };
    const { linkId } = await world.attemptCheckout(appId, { paymentMethod });
    for (let count = 1; count < 10; count += 1) {
      await eventually(async () => (await declines()) === count, { what: `decline ${count}` });
      // Every pause is over by then: the clock that counts is the one that the caller sees.
      wallNow = addMilliseconds(wallNow, 60_000);
      await Promise.all(
        Array.from({ length: 5 }, () => world.attemptOn(appId, linkId, { paymentMethod, wallNow })),
      );
      expect(await world.link(linkId)).toMatchObject({ attempts: { length: count + 1 } });
    }
    await eventually(async () => (await declines()) === 10, { what: 'the last decline' });
    const cards = [paymentMethod, 'pm_ok', 'pm_pending'];
    for (const method of cards) {
      await world.attemptOn(appId, linkId, {
        paymentMethod: method,
        wallNow: '2998-01-01T00:00:00.000Z',
      });
    }
    expect(await world.link(linkId)).toMatchObject({ status: 'open', attempts: { length: 10 } });
  });
});
