import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deriveId } from '#domain/ids';
import { subscriptionAggregate } from '#domain/subscription';
import { forEachConcurrently, wallClock } from '#platform';
import { type Backup, backupStream } from '#worker-state';
import { DELIVERIES_AT_ONCE } from '../../../apps/worker/src/limits.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { untilBackedUp } from './backed-up.js';
import { findLastPosition } from './last-position.js';
import { World } from './world.js';

const LIMIT_MS = 120_000;
/** Endpoints, and subscriptions that each of them receives: together more than one page of deliveries in flight. */
const MANY = 32;
const MONTH = { value: 1, unit: 'month' } as const;
const PLAYER = '5f2a9c04d1e84b7796ab30c2d4e5f601';

let world: World;
let receiver: WebhookReceiver;
let redis: Redis;
let backups: string;

beforeAll(async () => {
  world = await World.start();
  const { layoutId } = await world.client.namespaces.require();
  backups = backupStream(layoutId, 0);
  redis = new Redis(world.redis.url);
  world.onStop(() => redis.disconnect());
  receiver = await startWebhookReceiver();
  world.onStop(() => receiver.close());
  await world.startWorker();
});
afterAll(() => world.stop());

/** Until the backup in the event store says so. */
const backedUp = (says: (backup: Backup) => boolean) => untilBackedUp(world.client, backups, says);

const context = (appId: string, now: string) => ({
  ...{ appId, environment: 'test' as const, actor: 'app', correlationId: 'request-1' },
  ...{ player: PLAYER, now },
});

/** Subscriptions of their own, without a purchase. */
async function createSubscriptions(appId: string, count: number): Promise<void> {
  const now = wallClock.now();
  await world.personalData.seal(context(appId, now), 'player-1', {});
  const ids = Array.from({ length: count }, (_, n) => deriveId('sub', now, '5f', `many ${n}`));
  await forEachConcurrently(ids, 32, async (subscriptionId) => {
    const terms = {
      ...{ subscriptionId, appId, player: PLAYER },
      ...{ planId: 'plan_gold', price: { amountMinor: '999', currency: 'USD' }, period: MONTH },
      ...{ trial: null, paymentMethod: 'pm_ok', checkoutLinkId: 'link_none', regionCode: 'US' },
      personal: {},
    };
    const command = { kind: 'CreateSubscription', terms, initialPayment: null, now } as const;
    await world.commands.execute(
      subscriptionAggregate,
      subscriptionId,
      command,
      context(appId, now),
    );
  });
}

describe('a Redis that is emptied', () => {
  it(
    'with more than a thousand things in flight repeats what is in flight, and nothing else',
    async () => {
      const many = await startWebhookReceiver();
      world.onStop(() => many.close());
      many.answerWith(() => 503);
      const appId = await world.createApp();
      for (let n = 0; n < MANY; n += 1) await world.addEndpoint(appId, many.url);
      const ended = await world.createApp();
      await world.addEndpoint(ended, receiver.url);
      await createSubscriptions(appId, MANY);
      await backedUp(({ inFlight }) => inFlight.length >= MANY * MANY);
      const bought = await world.buy(ended, { player: 'player-ended' });
      await receiver.until(() => receiver.typesSentFor(bought).length === 2);
      const head = await findLastPosition(world, bought);
      // Long before the things in flight have ended.
      await backedUp(
        ({ position, inFlight }) => position >= head && inFlight.length === MANY * MANY,
      );

      await redis.flushall();
      const accepted: string[] = [];
      many.answerWith(({ headers }) => {
        accepted.push(String(headers['webhook-id']));
        return 204;
      });
      await backedUp(({ inFlight }) => inFlight.length === 0);
      expect(new Set(accepted).size).toBe(MANY);
      // The delivery under way just then is repeated: it was accepted after Redis had forgotten that it had begun.
      expect(accepted.length).toBeGreaterThanOrEqual(MANY * MANY);
      expect(accepted.length).toBeLessThanOrEqual(MANY * MANY + DELIVERIES_AT_ONCE);
      expect(receiver.typesSentFor(bought)).toHaveLength(2);
    },
    LIMIT_MS,
  );
});
