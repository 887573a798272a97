import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMilliseconds } from '#domain/calendar';
import { wallClock } from '#platform';
import { eventually } from '../../support/eventually.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
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
});
