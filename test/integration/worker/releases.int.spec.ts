import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backup, backupStream } from '#worker-state';
import { KNOWN_EVENT_TYPES } from '../../../apps/worker/src/known-event-types.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { untilBackedUp } from './backed-up.js';
import { findLastPosition } from './last-position.js';
import { World } from './world.js';

const LIMIT_MS = 120_000;
/** The event that only the newer of the two releases knows. */
const NEWER = 'subscription.reactivated.v1';

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
});
afterAll(() => world.stop());

/** A worker of one release or the other; both look at the list of known types when they start. */
async function startRelease(release: 'older' | 'newer') {
  // Nothing else in this process looks at the list.
  const types = KNOWN_EVENT_TYPES as string[];
  const at = types.indexOf(NEWER);
  if (release === 'older' && at !== -1) types.splice(at, 1);
  if (release === 'newer' && at === -1) types.push(NEWER);
  return world.startWorker();
}

const backedUp = (says: (backup: Backup) => boolean) =>
  untilBackedUp(world.client, backups, says, { limitMs: 20_000 });

const BOUGHT = ['payment.succeeded', 'subscription.created'];

describe('a release that knows more events than another', () => {
  it(
    'goes on with what the older one parked, in order and by itself',
    async () => {
      const older = await startRelease('older');
      const appId = await world.createApp();
      await world.addEndpoint(appId, receiver.url);
      const id = await world.buy(appId, { player: 'player-deploy' });
      await world.cancel(appId, id);
      await receiver.until(() => receiver.typesSentFor(id).length === 3);
      await world.reactivate(appId, id);
      await world.cancel(appId, id);
      await backedUp(
        ({ parked }) =>
          parked.find(({ streamName }) => streamName === `subscription-${id}`)?.revision === 2,
      );
      const other = await world.buy(appId, { player: 'player-of-others' });
      await receiver.until(() => receiver.typesSentFor(other).length === 2);
      await older.stop();

      const newer = await startRelease('newer');
      await receiver.until(() => receiver.typesSentFor(id).length === 5);
      expect(receiver.typesSentFor(id)).toEqual([
        ...[...BOUGHT, 'subscription.canceled'],
        ...['subscription.reactivated', 'subscription.canceled'],
      ]);
      await backedUp(({ parked }) => parked.length === 0);
      await newer.stop();
    },
    LIMIT_MS,
  );

  it(
    'may be rolled back while its work is in flight, and Redis be lost: the others go on, and it ends its work later',
    async () => {
      const newer = await startRelease('newer');
      const appId = await world.createApp();
      await world.addEndpoint(appId, receiver.url);
      const id = await world.buy(appId, { player: 'player-rollback' });
      const other = await world.buy(appId, { player: 'player-beside' });
      await receiver.until(
        () => receiver.typesSentFor(id).length + receiver.typesSentFor(other).length === 4,
      );
      receiver.answerWith(({ type }) => (BOUGHT.includes(type) ? 204 : 503));
      await world.cancel(appId, other);
      await world.cancel(appId, id);
      await world.reactivate(appId, id);
      const head = await findLastPosition(world, id);
      await backedUp(({ position, inFlight }) => position >= head && inFlight.length === 3);
      await newer.stop();
      receiver.answerWith(() => 204);

      // Of the workers alone: a projector does not build half a history.
      await redis.del(...(await redis.keys('*:worker:*')));
      const sentBefore = receiver.typesSentFor(id).length;
      const older = await startRelease('older');
      await receiver.until(() => receiver.typesSentFor(other).at(-1) === 'subscription.canceled');
      await backedUp(({ parked, inFlight }) => {
        const entry = parked.find(({ streamName }) => streamName === `subscription-${id}`);
        return entry?.revision === 2 && entry.begunUpTo >= head && inFlight.length === 1;
      });
      await older.stop();

      const again = await startRelease('newer');
      await receiver.until(() => receiver.typesSentFor(id).at(-1) === 'subscription.reactivated');
      await backedUp(({ parked, inFlight }) => parked.length === 0 && inFlight.length === 0);
      // Only deliveries in flight were sent again.
      expect(receiver.typesSentFor(id).slice(sentBefore)).toEqual([
        ...['subscription.canceled', 'subscription.reactivated'],
      ]);
      await again.stop();
    },
    LIMIT_MS,
  );
});
