import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deriveCheckoutPaymentId, deriveSubscriptionId } from '#domain/ids';
import { paymentAggregate } from '#domain/payment';
import { newId, newUuid, wallClock } from '#platform';
import {
  type Backup,
  backupStream,
  DELIVERY_CHECKPOINT_RECORDED,
  inFlightMember,
  readBackup,
  toPages,
  workerKeys,
} from '#worker-state';
import { periodCharge } from '../../../libs/domain/src/payment/spec-support/period-charge.js';
import { subledger } from '../../cli/subledger.js';
import { eventually } from '../../support/eventually.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { findLastPosition } from './last-position.js';
import { listPaymentIds } from './payment-ids.js';
import type { RunningWorker } from './worker-here.js';
import { untilBackedUp } from './backed-up.js';
import { World } from './world.js';

const LIMIT_MS = 120_000;
const EVENT_TYPE_PAID = 'payment.captured.v1';
const PLAYER = '5f2a9c04d1e84b7796ab30c2d4e5f601';

let world: World;
let receiver: WebhookReceiver;
let redis: Redis;
let worker: RunningWorker;
let parkedKey: string;
let backups: string;

beforeAll(async () => {
  world = await World.start();
  const { layoutId } = await world.client.namespaces.require();
  parkedKey = workerKeys(layoutId, 0).parked;
  backups = backupStream(layoutId, 0);
  redis = new Redis(world.redis.url);
  world.onStop(() => redis.disconnect());
  receiver = await startWebhookReceiver();
  world.onStop(() => receiver.close());
  worker = await world.startWorker();
});
afterAll(() => world.stop());

/** Until the backup in the event store says so. */
const backedUp = (says: (backup: Backup) => boolean) => untilBackedUp(world.client, backups, says);

const isParked = async (streamName: string) => (await redis.hexists(parkedKey, streamName)) === 1;
const untilParked = (streamName: string, is = true) =>
  eventually(async () => (await isParked(streamName)) === is, {
    what: `${streamName} ${is ? 'to be parked' : 'to go on'}`,
    limitMs: 30_000,
  });

/** As an operator types it. */
const parkedCommand = (...args: string[]) =>
  subledger(['parked', ...args], { EVENTSTOREDB_URL: world.store.connectionString });

const context = (appId: string, now: string) => ({
  ...{ appId, environment: 'test' as const, actor: 'app', correlationId: 'request-1' },
  ...{ player: PLAYER, now },
});

/** An event that no release of today knows, as a newer one would write it. */
async function appendUnknown(streamName: string): Promise<void> {
  const [first] = await world.events(streamName);
  const { metadata } = first!;
  const event = { id: newUuid(), type: 'subscription.teleported.v9', data: {}, metadata };
  await world.client.append(streamName, 'any', [event]);
}

describe('a Redis that is emptied', () => {
  it(
    'forgets nothing parked: who has paid gets the subscription once the cause is mended',
    async () => {
      const appId = await world.createApp();
      const now = wallClock.now();
      const linkId = newId('link', now, '5f');
      const subscriptionId = deriveSubscriptionId(linkId, now);
      const paymentId = deriveCheckoutPaymentId(linkId, { attempt: 1, attemptedAt: now });
      const amount = { amountMinor: '999', currency: 'USD' };
      const charge = {
        ...{ paymentId, appId, player: PLAYER },
        ...periodCharge({ subscriptionId, amount, start: now, number: 1 }),
        ...{ checkoutLinkId: linkId, paymentMethod: 'pm_ok', personal: {} },
      };
      const method = { paymentMethodSubType: '', issuerBank: '' };
      const pay = (command: Parameters<typeof paymentAggregate.decider.decide>[0]) =>
        world.commands.execute(paymentAggregate, paymentId, command, context(appId, now));
      await pay({ kind: 'RequestPayment', charge, now });
      await pay({ kind: 'CapturePayment', method, now });
      const streamName = `payment-${paymentId}`;
      await untilParked(streamName);
      const head = await findLastPosition(
        world,
        await world.buy(appId, { player: 'player-meanwhile' }),
      );
      await backedUp(({ parked, position }) => isNamed(parked, streamName) && position >= head);

      await redis.flushall();
      await untilParked(streamName);
      const { stdout } = await parkedCommand('list', '--json');
      const listed = JSON.parse(stdout) as { parked: { streamName: string }[] };
      expect(listed.parked).toMatchObject([{ streamName, partition: 0, type: EVENT_TYPE_PAID }]);
      expect((await parkedCommand('list')).stdout).toContain(streamName);
      // The cause is mended: the link was missing. Unasked, the worker would try again within a minute.
      await world.createLink(appId, linkId, { now });
      await world.attemptOn(appId, linkId, { now });
      expect((await parkedCommand('retry')).code).toBe(0);
      await eventually(async () => (await world.link(linkId)).status === 'completed', {
        what: 'the checkout',
        limitMs: 30_000,
      });
      expect((await world.subscription(subscriptionId)).status).toBe('active');
      await untilParked(streamName, false);
      await backedUp(({ parked }) => !isNamed(parked, streamName));
    },
    LIMIT_MS,
  );

  it(
    'knows when the gateway is to be asked again, and charges once',
    async () => {
      const appId = await world.createApp();
      await world.addEndpoint(appId, receiver.url);
      const held = worker.holdPendingCharges();
      const { linkId, paymentId, subscriptionId } = await world.attemptCheckout(appId, {
        paymentMethod: 'pm_pending',
      });
      const isDue = ({ inFlight }: Backup) =>
        inFlight.some(({ member, askAgainAt }) => member.includes(linkId) && askAgainAt);
      await eventually(async () => (await world.events(`payment-${paymentId}`)).length === 2, {
        what: 'the pending payment',
      });
      await backedUp(isDue);
      await redis.flushall();
      held.letGo();
      await eventually(async () => (await world.link(linkId)).status === 'completed', {
        what: 'the checkout',
        limitMs: 20_000,
      });
      expect(await listPaymentIds(world, subscriptionId)).toEqual([paymentId]);
      const atGateway = await world.events(`sandbox_account-${subscriptionId}`);
      expect(atGateway.filter(({ type }) => type === 'sandbox.charged.v1')).toHaveLength(1);
      await backedUp(({ inFlight }) => !inFlight.some(({ member }) => member.includes(linkId)));
    },
    LIMIT_MS,
  );
});

describe('a release that does not know an event of work in flight', () => {
  it(
    'parks that stream and begins the work of all others, also at its start',
    async () => {
      const appId = await world.createApp();
      const { endpointId } = await world.addEndpoint(appId, receiver.url);
      const strange = await world.buy(appId, { player: 'player-strange' });
      const other = await world.buy(appId, { player: 'player-other' });
      await receiver.until(
        () => receiver.typesSentFor(strange).length + receiver.typesSentFor(other).length === 4,
      );
      await worker.stop();
      await appendUnknown(`subscription-${strange}`);
      const events = await world.events(`subscription-${other}`);
      const unknown = { ...events[0]!, streamName: `subscription-${strange}`, revision: 1 };
      const position = await findLastPosition(world, strange);
      const messages = receiver.sentFor(other).map(({ headers }) => String(headers['webhook-id']));
      const [, created = ''] = messages;
      const inFlight = [
        inFlightMember({ ...unknown, position }, endpointId, 'msg_unknown'),
        inFlightMember(events[0]!, endpointId, created),
      ].sort();
      // As a newer release left it: all is done, but for a delivery of an event that only it knows.
      const { revision } = await readBackup(world.client, backups);
      const backup = {
        ...{ position, parked: [], exhausted: [], cursors: [] },
        inFlight: inFlight.map((member) => ({ member })),
      };
      const { metadata } = events[0]!;
      for (const data of toPages(backup)) {
        const record = { id: newUuid(), type: DELIVERY_CHECKPOINT_RECORDED, data, metadata };
        await world.client.append(backups, revision, [record]);
      }
      // Of the workers alone: read models are none of theirs.
      const keys = await redis.keys('*:worker:*');
      await redis.del(...keys.filter((key) => !key.endsWith(':lease')));
      worker = await world.startWorker();
      await receiver.until(() => receiver.typesSentFor(other).length === 3);
      expect(receiver.typesSentFor(other).at(-1)).toBe('subscription.created');
      await untilParked(`subscription-${strange}`);
      // The checkpoint may have gone on before its delivery was found to be of an unknown event.
      await backedUp(({ inFlight: left, parked }) => {
        const entry = parked.find((each) => each.streamName === `subscription-${strange}`);
        return left.length === 1 && entry?.revision === 1 && entry.begunUpTo >= position;
      });
      expect(receiver.typesSentFor(strange)).toHaveLength(2);
    },
    LIMIT_MS,
  );
});

const isNamed = (parked: Backup['parked'], streamName: string) =>
  parked.some((entry) => entry.streamName === streamName);
