import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMilliseconds } from '#domain/calendar';
import { ANSWER_LIMIT_MS } from '#domain/checkout-link';
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

  it('opens the link again when the payment is declined, and creates nothing', async () => {
    const appId = await world.createApp();
    await world.addEndpoint(appId, receiver.url);
    const { linkId, subscriptionId, paymentId } = await world.attemptCheckout(appId, {
      paymentMethod: 'pm_decline_insufficient_funds',
    });
    await receiver.until(() => receiver.sentFor(paymentId).length === 1);
    expect(receiver.sentFor(paymentId)[0]?.type).toBe('payment.failed');
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
    await receiver.until(() => receiver.sentFor(subscriptionId).length === 1);
    expect(receiver.sentFor(subscriptionId)[0]?.type).toBe('subscription.created');
    expect(await listPaymentIds(world, subscriptionId)).toEqual([]);
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

  it('asks again for a charge that is pending', async () => {
    const appId = await world.createApp();
    const subscriptionId = await world.buy(appId, { paymentMethod: 'pm_pending' });
    expect((await world.subscription(subscriptionId)).status).toBe('active');
  });

  it('can be paid by another method when the gateway is slow, and gives the late capture back', async () => {
    const appId = await world.createApp();
    await world.addEndpoint(appId, receiver.url, ['payment.*']);
    const first = await world.attemptCheckout(appId, { paymentMethod: 'pm_pending' });
    const wallNow = addMilliseconds(wallClock.now(), ANSWER_LIMIT_MS);
    const second = await world.attemptOn(appId, first.linkId, { wallNow });
    await eventually(async () => (await world.link(first.linkId)).status === 'completed', {
      what: 'the checkout',
    });
    expect(await listPaymentIds(world, first.subscriptionId)).toEqual([second.paymentId]);
    await eventually(async () => (await world.payment(first.paymentId)).status === 'REFUNDED', {
      what: 'the refund',
    });
    expect((await world.payment(second.paymentId)).status).toBe('SUCCEEDED');
    const ofFirst = () => receiver.sentFor(first.paymentId).map(({ type }) => type);
    await receiver.until(() => ofFirst().length === 2);
    expect(ofFirst()).toEqual(['payment.succeeded', 'payment.refunded']);
    // It bought nothing, so that it is a subject of its own.
    const sequences = receiver
      .sentFor(first.paymentId)
      .map(({ headers }) => headers['service-event-sequence']);
    expect(sequences).toEqual(['1', '2']);
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

  it('sends an endpoint the types that it asked for, and no others', async () => {
    const appId = await world.createApp();
    const picky = await startWebhookReceiver();
    world.onStop(() => picky.close());
    await world.addEndpoint(appId, picky.url, ['payment.*']);
    await world.addEndpoint(appId, receiver.url, ['subscription.created']);
    const subscriptionId = await world.buy(appId);
    await picky.until((received) => received.length === 1);
    await receiver.until(() => receiver.sentFor(subscriptionId).length === 1);
    expect(picky.received[0]?.type).toBe('payment.succeeded');
    expect(receiver.sentFor(subscriptionId)[0]?.headers['service-event-sequence']).toBe('2');
  });

  it('is not charged in a production app, until a trial run is asked for', async () => {
    const appId = await world.createApp('production');
    const { paymentId, linkId, subscriptionId } = await world.attemptCheckout(appId);
    const isLeftPending = async () => {
      const payment = await world.payment(paymentId);
      return payment.status !== 'none' && payment.pendingSince !== null;
    };
    await eventually(isLeftPending, { what: 'a charge that waits for a gateway' });
    expect((await world.link(linkId)).status).toBe('attempting');
    const books = `sandbox_account-${subscriptionId}`;
    expect(await world.client.headRevision(books)).toBe(-1);
    // A waiting attempt is charged once there is a gateway: nothing is lost by a setting that was missing.
    await worker.stop();
    await world.startWorker({ SANDBOX_IN_PRODUCTION_APPS: 'trial' });
    await eventually(async () => (await world.link(linkId)).status === 'completed', {
      what: 'the checkout in a trial run',
    });
  });
});
