import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backupStream, readBackup } from '#worker-state';
import { eventually } from '../../support/eventually.js';
import { startRedis } from '../../support/redis.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { untilBackedUp } from './backed-up.js';
import { findLastPosition } from './last-position.js';
import type { RunningWorker } from './worker-here.js';
import { World } from './world.js';

const LIMIT_MS = 240_000;

describe('a worker whose Redis is lost', () => {
  let world: World;
  let receiver: WebhookReceiver;
  let appId: string;
  let backups: string;
  let worker: RunningWorker;

  beforeAll(async () => {
    world = await World.start();
    backups = backupStream((await world.client.namespaces.require()).layoutId, 0);
    receiver = await startWebhookReceiver();
    world.onStop(() => receiver.close());
    worker = await world.startWorker();
    appId = await world.createApp();
    await world.addEndpoint(appId, receiver.url);
  });

  afterAll(() => world.stop());

  const receivedFor = (id: string) =>
    receiver.received.filter(({ data }) => data['id'] === id || data['subscription_id'] === id);

  /** Until a backup says that everything so far has ended. */
  const backedUp = async () => {
    const hasEnded = async () => (await lastBackup())?.inFlight.length === 0;
    await eventually(hasEnded, { what: 'a backup', limitMs: 90_000 });
  };

  const lastBackup = async () => (await readBackup(world.client, backups)).backup;

  /** Waits until a backup has passed everything that this subscription gave rise to. */
  const backedUpPast = async (subscriptionId: string) => {
    const position = await findLastPosition(world, subscriptionId);
    const isPast = async () => {
      const backup = await lastBackup();
      return backup !== undefined && backup.position >= position && backup.inFlight.length === 0;
    };
    await eventually(isPast, { what: 'the backup', limitMs: 90_000 });
  };

  it(
    'goes on from the backup when Redis is emptied under it, and repeats no history',
    async () => {
      const before: string[] = [];
      for (let n = 0; n < 5; n += 1) before.push(await world.buy(appId, { player: `player-${n}` }));
      await receiver.until(() => before.every((id) => receivedFor(id).length === 2));
      for (const id of before) await backedUpPast(id);
      const redis = new Redis(world.redis.url);
      await redis.flushall();
      redis.disconnect();
      const after = await world.buy(appId, { player: 'player-after' });
      await receiver.until(() => receivedFor(after).length >= 2);
      for (const id of before) expect(receivedFor(id)).toHaveLength(2);
      expect(receivedFor(after).map(({ headers }) => headers['service-event-sequence'])).toEqual([
        '1',
        '2',
      ]);
      const [first = ''] = before;
      await world.cancel(appId, first);
      await receiver.until(() => receivedFor(first).length === 3);
      expect(receivedFor(first).map(({ headers }) => headers['service-event-sequence'])).toEqual([
        '1',
        '2',
        '3',
      ]);
    },
    LIMIT_MS,
  );

  it(
    'delivers what was in flight when Redis is killed and comes back empty',
    async () => {
      receiver.answerWith(() => 503);
      const undelivered = await world.buy(appId, { player: 'player-undelivered' });
      await receiver.until(() => receivedFor(undelivered).length > 0);
      const names = async () => {
        const backup = await lastBackup();
        return backup !== undefined && backup.inFlight.length === 2;
      };
      await eventually(names, { what: 'a backup that names what is in flight', limitMs: 90_000 });
      const { port } = world.redis;
      await world.redis.kill();
      const during = await world.attemptCheckout(appId, { player: 'player-during' });
      receiver.answerWith(() => 204);
      world.redis = await startRedis({ port });
      await eventually(async () => (await world.link(during.linkId)).status === 'completed', {
        what: 'the checkout',
        limitMs: 90_000,
      });
      await receiver.until(() => {
        const types = new Set(receivedFor(undelivered).map(({ type }) => type));
        return types.size === 2 && receivedFor(during.subscriptionId).length >= 2;
      });
      const ids = new Set(receivedFor(undelivered).map(({ headers }) => headers['webhook-id']));
      expect(ids.size).toBe(2);
      const charged = await world.events(`sandbox_account-${during.subscriptionId}`);
      expect(charged).toHaveLength(1);
      await backedUp();
    },
    LIMIT_MS,
  );

  it(
    'loses no message when the loss falls between its being enqueued and the adding of its job',
    async () => {
      const subscriptionId = await world.buy(appId, { player: 'player-between' });
      await receiver.until(() => receivedFor(subscriptionId).length === 2);
      await backedUpPast(subscriptionId);
      worker.onceWhenDeliveriesBegan(() => world.redis.command('FLUSHALL'));
      await world.cancel(appId, subscriptionId);
      const isReceived = () =>
        receivedFor(subscriptionId).some(({ type }) => type === 'subscription.canceled');
      await receiver.until(isReceived);
      await backedUpPast(subscriptionId);
    },
    LIMIT_MS,
  );

  it(
    'sends nothing new before what was in flight',
    async () => {
      const subscriptionId = await world.buy(appId, { player: 'player-in-order' });
      await receiver.until(() => receivedFor(subscriptionId).length === 2);
      // Else the backup could still name a message of the purchase, which would rightly be sent again.
      await backedUpPast(subscriptionId);
      receiver.answerWith(({ type }) => (type === 'subscription.canceled' ? 503 : 204));
      await world.cancel(appId, subscriptionId);
      const names = async () => (await lastBackup())?.inFlight.length === 1;
      await eventually(names, { what: 'a backup that names what is in flight', limitMs: 90_000 });
      const accepted = new Set<string>();
      await world.redis.command('FLUSHALL');
      receiver.answerWith(({ type, data }) => {
        if (data['id'] === subscriptionId) accepted.add(type);
        return 204;
      });
      await world.reactivate(appId, subscriptionId);
      await receiver.until(() => accepted.has('subscription.reactivated'));
      expect([...accepted]).toEqual(['subscription.canceled', 'subscription.reactivated']);
    },
    LIMIT_MS,
  );

  it(
    'sends nothing of before the erasure of a player, and names what it did not send',
    async () => {
      receiver.answerWith(() => 503);
      const subscriptionId = await world.buy(appId, { player: 'player-erased' });
      await receiver.until(() => receivedFor(subscriptionId).length > 0);
      const isAbout = ({ member }: { readonly member: string }) => member.includes(subscriptionId);
      const names = async () => (await lastBackup())?.inFlight.some(isAbout) ?? false;
      await eventually(names, { what: 'a backup that names what is in flight', limitMs: 90_000 });
      await world.erasePlayer(appId, 'player-erased');
      await world.redis.command('FLUSHALL');
      const accepted: string[] = [];
      receiver.answerWith(({ type, data }) => {
        if (JSON.stringify(data).includes(subscriptionId)) accepted.push(type);
        return 204;
      });
      await untilBackedUp(world.client, backups, ({ exhausted, inFlight }) => {
        const ended = exhausted.filter(isAbout);
        const isEnded = ended.length === 2 && !inFlight.some(isAbout);
        return isEnded && ended.every(({ reason }) => reason === 'the player was erased');
      });
      await world.cancel(appId, subscriptionId);
      await receiver.until(() => accepted.length > 0);
      expect(accepted).toEqual(['subscription.canceled']);
    },
    LIMIT_MS,
  );
});
