import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { startRedis } from '../../support/redis.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { World } from './world.js';

const LIMIT_MS = 240_000;
const MARKS = 'webhook_progress-reactor';

describe('a worker whose Redis is lost', () => {
  let world: World;
  let receiver: WebhookReceiver;
  let appId: string;

  beforeAll(async () => {
    world = await World.start();
    receiver = await startWebhookReceiver();
    world.onStop(() => receiver.close());
    await world.startWorker();
    appId = await world.createApp();
    await world.addEndpoint(appId, receiver.url);
  });

  afterAll(() => world.stop());

  const toldOf = (id: string) =>
    receiver.received.filter(({ data }) => data['id'] === id || data['subscription_id'] === id);

  /** Until a mark says that everything so far is settled. */
  const marked = async () => {
    const settled = async () => {
      const [last] = (await world.events(MARKS)).slice(-1);
      const subscriptions = await world.client.headRevision(MARKS);
      const { unsettled } = (last?.data ?? {}) as { unsettled?: string[] };
      return subscriptions >= 0 && unsettled?.length === 0;
    };
    await eventually(settled, { what: 'a mark', limitMs: 90_000 });
  };

  const lastMark = async () => {
    const [last] = (await world.events(MARKS)).slice(-1);
    return last?.data as { position: string; unsettled: string[] } | undefined;
  };

  /** Waits until a mark has passed everything that this subscription gave rise to. */
  const markedPast = async (subscriptionId: string) => {
    const events = await world.events(`subscription-${subscriptionId}`);
    const position = events.at(-1)?.position ?? '';
    const isPast = async () => {
      const mark = await lastMark();
      return mark !== undefined && mark.position >= position && mark.unsettled.length === 0;
    };
    await eventually(isPast, { what: 'the mark', limitMs: 90_000 });
  };

  it(
    'goes on from the mark when Redis is emptied under it, and repeats no history',
    async () => {
      const before: string[] = [];
      for (let n = 0; n < 5; n += 1) before.push(await world.buy(appId, { player: `player-${n}` }));
      await receiver.until(() => before.every((id) => toldOf(id).length === 2));
      for (const id of before) await markedPast(id);
      const redis = new Redis(world.redis.url);
      await redis.flushall();
      redis.disconnect();
      const after = await world.buy(appId, { player: 'player-after' });
      await receiver.until(() => toldOf(after).length >= 2);
      for (const id of before) expect(toldOf(id)).toHaveLength(2);
      expect(toldOf(after).map(({ headers }) => headers['service-event-sequence'])).toEqual([
        '1',
        '2',
      ]);
      const [first = ''] = before;
      await world.cancel(appId, first);
      await receiver.until(() => toldOf(first).length === 3);
      expect(toldOf(first).map(({ headers }) => headers['service-event-sequence'])).toEqual([
        '1',
        '2',
        '3',
      ]);
    },
    LIMIT_MS,
  );

  it(
    'delivers what was unsettled when Redis is killed and comes back empty',
    async () => {
      receiver.answerWith(() => 503);
      const unheard = await world.buy(appId, { player: 'player-unheard' });
      await receiver.until(() => toldOf(unheard).length > 0);
      const names = async () => {
        const mark = await lastMark();
        return mark !== undefined && mark.unsettled.length === 2;
      };
      await eventually(names, { what: 'a mark with the unsettled', limitMs: 90_000 });
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
        const types = new Set(toldOf(unheard).map(({ type }) => type));
        return types.size === 2 && toldOf(during.subscriptionId).length >= 2;
      });
      const ids = new Set(toldOf(unheard).map(({ headers }) => headers['webhook-id']));
      expect(ids.size).toBe(2);
      const charged = await world.events(`sandbox_account-${during.subscriptionId}`);
      expect(charged).toHaveLength(1);
      await marked();
    },
    LIMIT_MS,
  );

  it(
    'does not charge again what was charged before the loss',
    async () => {
      const subscriptionId = await world.buy(appId, { player: 'player-once' });
      const redis = new Redis(world.redis.url);
      await redis.flushall();
      redis.disconnect();
      const next = await world.buy(appId, { player: 'player-next' });
      expect(await world.events(`sandbox_account-${subscriptionId}`)).toHaveLength(1);
      expect(await world.events(`sandbox_account-${next}`)).toHaveLength(1);
    },
    LIMIT_MS,
  );
});
