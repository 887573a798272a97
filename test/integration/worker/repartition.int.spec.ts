import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { World } from './world.js';

const PLAYERS = Array.from({ length: 8 }, (_, n) => `player-${n}`);

/** Of several attempts that fail, the rest may wait for the breaker of the endpoint (rules/webhooks 6). */
const BREAKER_OPENS_AFTER = 5;

describe('a ledger that is divided anew', () => {
  let world: World;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    world = await World.start({ partitions: 2 });
    receiver = await startWebhookReceiver();
    world.onStop(() => receiver.close());
  });
  afterAll(() => world.stop());

  const divide = (partitions: number) =>
    world.betweenRuns(() => world.client.namespaces.repartition(partitions));

  it('repeats nothing that had ended, begins what was in flight, and forgets no other division', async () => {
    const appId = await world.createApp();
    await world.addEndpoint(appId, receiver.url);
    const before = await world.startWorker();
    const buyAll = () => Promise.all(PLAYERS.map((player) => world.buy(appId, { player })));
    const bought = await buyAll();
    const bothTypes = ['payment.succeeded', 'subscription.created'];
    await receiver.until(() => bought.every((id) => receiver.typesSentFor(id).length === 2));
    receiver.answerWith(() => 503);
    for (const id of bought) await world.cancel(appId, id);
    const tried = () => bought.filter((id) => receiver.typesSentFor(id).length === 3);
    await receiver.until(() => tried().length >= BREAKER_OPENS_AFTER);
    await before.stop();
    const wereTried = new Set(tried());
    const typesSent = (id: string) => (wereTried.has(id) ? 4 : 3);
    receiver.answerWith(() => 204);

    await divide(5);
    const during = await world.startWorker();
    await receiver.until(() =>
      bought.every((id) => receiver.typesSentFor(id).length === typesSent(id)),
    );
    const later = await buyAll();
    await receiver.until(() => later.every((id) => receiver.typesSentFor(id).length === 2));
    await during.stop();

    // The number of the first division is that of another one now: its keys count no more.
    await divide(2);
    await world.startWorker();
    const last = await buyAll();
    await receiver.until(() => last.every((id) => receiver.typesSentFor(id).length === 2));
    for (const id of [...later, ...last]) expect(receiver.typesSentFor(id)).toEqual(bothTypes);
    for (const id of bought) {
      const canceled = Array<string>(typesSent(id) - bothTypes.length).fill(
        'subscription.canceled',
      );
      expect(receiver.typesSentFor(id)).toEqual([...bothTypes, ...canceled]);
    }
  });
});
