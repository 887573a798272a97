import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backup, backupStream } from '#worker-state';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { untilBackedUp } from './backed-up.js';
import { findLastPosition } from './last-position.js';
import { World } from './world.js';

const LIMIT_MS = 120_000;

let world: World;
let receiver: WebhookReceiver;
let redis: Redis;
let backups: string;

beforeAll(async () => {
  world = await World.start();
  backups = backupStream((await world.client.namespaces.require()).layoutId, 0);
  redis = new Redis(world.redis.url);
  world.onStop(() => redis.disconnect());
  receiver = await startWebhookReceiver();
  world.onStop(() => receiver.close());
  await world.startWorker();
});
afterAll(() => world.stop());

/** Until the backup in the event store says so. */
const backedUp = (says: (backup: Backup) => boolean) =>
  untilBackedUp(world.client, backups, says, { limitMs: 20_000 });

/** Its token is there still, and so is its checkpoint; later writes are not. */
describe('a Redis that comes back as it was before', () => {
  /** The content of Redis, and an act that throws it back to that, all at once. */
  async function snapshot(): Promise<() => Promise<void>> {
    const keys = await redis.keys('*');
    const dumps = await Promise.all(keys.map(async (key) => [key, await redis.dumpBuffer(key)]));
    return async () => {
      const act = redis.multi().flushall();
      for (const [key, dump] of dumps) act.restore(String(key), 0, dump!);
      await act.exec();
    };
  }

  it(
    'repeats nothing that had ended, not even what it had in flight, and goes on',
    async () => {
      const appId = await world.createApp();
      await world.addEndpoint(appId, receiver.url);
      const first = await world.buy(appId, { player: 'player-first' });
      await receiver.until(() => receiver.typesSentFor(first).length === 2);
      receiver.answerWith(({ type }) => (type === 'subscription.canceled' ? 503 : 204));
      await world.cancel(appId, first);
      await receiver.until(() => receiver.typesSentFor(first).length === 3);
      const throwBack = await snapshot();
      receiver.answerWith(() => 204);
      await receiver.until(() => receiver.typesSentFor(first).length === 4);
      const second = await world.buy(appId, { player: 'player-second' });
      await receiver.until(() => receiver.typesSentFor(second).length === 2);
      const head = await findLastPosition(world, second);
      // An accepted delivery that is not backed up as ended yet would come again.
      await backedUp(({ position, inFlight }) => position >= head && inFlight.length === 0);
      await throwBack();
      await world.reactivate(appId, first);
      const third = await world.buy(appId, { player: 'player-third' });
      await receiver.until(
        () =>
          receiver.typesSentFor(third).length === 2 && receiver.typesSentFor(first).length === 5,
      );
      expect(receiver.typesSentFor(first).slice(2)).toEqual([
        ...['subscription.canceled', 'subscription.canceled', 'subscription.reactivated'],
      ]);
      expect(receiver.typesSentFor(second)).toHaveLength(2);
      expect(await world.events(`sandbox_account-${second}`)).toHaveLength(1);
    },
    LIMIT_MS,
  );

  it(
    'lets nothing newer out before what it has lost',
    async () => {
      const appId = await world.createApp();
      await world.addEndpoint(appId, receiver.url);
      const subscriptionId = await world.buy(appId, { player: 'player-in-order' });
      await receiver.until(() => receiver.typesSentFor(subscriptionId).length === 2);
      const throwBack = await snapshot();
      receiver.answerWith(({ type }) => (type === 'subscription.canceled' ? 503 : 204));
      await world.cancel(appId, subscriptionId);
      const canceledAt = await findLastPosition(world, subscriptionId);
      // A purchase that is backed up late is in flight there, too.
      await backedUp(({ inFlight }) =>
        inFlight.some(({ member }) => member.startsWith(canceledAt)),
      );
      const accepted = new Set<string>();
      await throwBack();
      receiver.answerWith(({ type, data }) => {
        if (data['id'] === subscriptionId) accepted.add(type);
        return 204;
      });
      await world.reactivate(appId, subscriptionId);
      await receiver.until(() => accepted.has('subscription.reactivated'));
      expect([...accepted]).toEqual(['subscription.canceled', 'subscription.reactivated']);
      const head = await findLastPosition(world, subscriptionId);
      // A delivery that was begun again was named before: should Redis be lost once more, it has ended.
      await backedUp(({ position, inFlight }) => position >= head && inFlight.length === 0);
    },
    LIMIT_MS,
  );
});
