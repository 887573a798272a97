import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paymentAggregate } from '#domain/payment';
import { wallClock } from '#platform';
import {
  type Backup,
  backupStream,
  type ExhaustedDelivery,
  readBackup,
  type WorkerKeys,
  workerKeys,
} from '#worker-state';
import {
  FailedDeliveries,
  type FailedDelivery,
} from '../../../apps/api/src/manage/webhook-endpoints/failed-deliveries.js';
import { SETTLING_AT_GATEWAY_MS } from '../../../apps/worker/src/limits.js';
import { LostCharges } from '../../../apps/worker/src/payments/lost-charges.js';
import { LostRefunds } from '../../../apps/worker/src/payments/lost-refunds.js';
import { eventually } from '../../support/eventually.js';
import { type ReceivedWebhook, startWebhookReceiver } from '../../support/webhook-receiver.js';
import { askEndpoint } from './ask-endpoint.js';
import { untilBackedUp } from './backed-up.js';
import { findLastPosition } from './last-position.js';
import { untilLogged } from './logged.js';
import { listPaymentIds } from './payment-ids.js';
import { RetryClock } from './retry-clock.js';
import type { RunningWorker } from './worker-here.js';
import { World } from './world.js';

const LIMIT_MS = 120_000;
/** All that the schedule has (rules/webhooks 6). */
const ATTEMPTS = 12;

let world: World;
let redis: Redis;
let worker: RunningWorker;
let keys: WorkerKeys;
let backups: string;
const clock = new RetryClock();

beforeAll(async () => {
  world = await World.start();
  const { layoutId } = await world.client.namespaces.require();
  keys = workerKeys(layoutId, 0);
  backups = backupStream(layoutId, 0);
  redis = new Redis(world.redis.url);
  world.onStop(() => redis.disconnect());
  worker = await world.startWorker({}, clock);
});
afterAll(async () => {
  clock.stop();
  await world.stop();
});

/** Until the backup in the event store says so. */
const backedUp = (says: (backup: Backup) => boolean) => untilBackedUp(world.client, backups, says);

const isAllGivenUp = async () => (await redis.zcard(keys.exhausted)) === 2;

const parseGivenUp = (text: string) => JSON.parse(text) as ExhaustedDelivery;

/** Of one subscription, by type: those of one event have no order of their own. */
const findGivenUp = (deliveries: readonly ExhaustedDelivery[], subscriptionId: string) =>
  deliveries
    .filter(({ member }) => member.includes(subscriptionId))
    .sort((left, right) => (left.type < right.type ? -1 : 1));

const concerns =
  (subscriptionId: string) =>
  ({ data }: ReceivedWebhook) =>
    [data['id'], data['subscription_id']].includes(subscriptionId);

async function askForRefund(appId: string, paymentId: string, amountMinor: string): Promise<void> {
  const now = wallClock.now();
  const context = { appId, environment: 'test', actor: 'app', correlationId: 'r', now } as const;
  const command = { kind: 'RequestRefund', refundId: 'ref_1', amountMinor, now } as const;
  await world.commands.execute(paymentAggregate, paymentId, command, context);
}

/**
 * As if neither Redis nor the backup had known of its deliveries in flight, and recovery had ended it for that: it
 * leaves a mark.
 */
async function lose(id: string): Promise<void> {
  const { inFlight, dueAtGateway, ended } = keys;
  const isOfIt = (member: string) => member.includes(id);
  const members = (await redis.zrange(inFlight, 0, '-1')).filter(isOfIt);
  expect(members).toHaveLength(1);
  for (const member of members) {
    await redis.zrem(inFlight, member);
    await redis.zrem(dueAtGateway, member);
    await redis.zadd(ended, 0, member);
  }
  await backedUp(({ inFlight: named }) => !named.some(({ member }) => isOfIt(member)));
}

/** As the API lists it. */
async function listFailed(endpointId: string): Promise<FailedDelivery[]> {
  const identity = await world.client.namespaces.require();
  const failed = new FailedDeliveries(world.client, identity);
  return failed.findSendable(({ target }) => target === endpointId);
}

/** As the API does: listed deliveries are asked for again. */
async function resendAllFailed(appId: string, endpointId: string, subscriptionId: string) {
  const failed = await listFailed(endpointId);
  expect(failed.map(({ type }) => type).sort()).toEqual([
    ...['payment.succeeded', 'subscription.created'],
  ]);
  expect(failed.every(({ streamName }) => streamName.includes(subscriptionId))).toBe(true);
  const messages = failed.map(({ streamName, revision, messageId }) => ({
    ...{ streamName, revision, messageId },
  }));
  const resend = { messages, restAfter: null };
  await askEndpoint(world, appId, endpointId, { kind: 'RequestResend', resend });
}

describe('what Redis has lost', () => {
  it(
    'does not forget a payment whose charge nothing names any more: the gateway is asked again, with its key',
    async () => {
      const appId = await world.createApp();
      const held = worker.holdPendingCharges();
      const { linkId, paymentId, subscriptionId } = await world.attemptCheckout(appId, {
        paymentMethod: 'pm_pending',
      });
      await eventually(async () => (await world.events(`payment-${paymentId}`)).length === 2, {
        what: 'the pending payment',
      });
      await lose(linkId);
      held.letGo();
      const [partition] = worker.partitions();
      await partition?.get(LostCharges).look(Date.now() + 2 * SETTLING_AT_GATEWAY_MS);
      await eventually(async () => (await world.link(linkId)).status === 'completed', {
        what: 'the checkout',
        limitMs: 20_000,
      });
      expect(await listPaymentIds(world, subscriptionId)).toEqual([paymentId]);
      const atGateway = await world.events(`sandbox_account-${subscriptionId}`);
      expect(atGateway.filter(({ type }) => type === 'sandbox.charged.v1')).toHaveLength(1);
    },
    LIMIT_MS,
  );

  it(
    'does not forget a refund that nothing names any more: it is asked for again, once, of what was kept for it',
    async () => {
      const appId = await world.createApp();
      const subscriptionId = await world.buy(appId);
      const [paymentId = ''] = await listPaymentIds(world, subscriptionId);
      const held = worker.holdRefunds();
      await askForRefund(appId, paymentId, '400');
      const isAsked = async () =>
        (await redis.zrange(keys.dueAtGateway, 0, '-1')).some((each) => each.includes(paymentId));
      await eventually(isAsked, { what: 'the refund at the gateway' });
      await lose(paymentId);
      held.letGo();
      const [partition] = worker.partitions();
      const refunds = partition?.get(LostRefunds);
      // At once, and when the first has been answered.
      const later = Date.now() + 2 * SETTLING_AT_GATEWAY_MS;
      await refunds?.look(later);
      const isMade = async () => (await world.payment(paymentId)).status === 'PARTIALLY_REFUNDED';
      await eventually(isMade, { what: 'the refund', limitMs: 20_000 });
      await refunds?.look(later);
      expect(await world.payment(paymentId)).toMatchObject({
        ...{ totalRefunded: { amountMinor: '400' }, openRefunds: [] },
      });
      const atGateway = await world.events(`sandbox_account-${subscriptionId}`);
      const made = atGateway.filter(({ type }) => type === 'sandbox.refunded.v1');
      expect(made.map(({ data }) => data)).toMatchObject([{ amount: { amountMinor: '400' } }]);
    },
    LIMIT_MS,
  );

  it(
    'does not forget when a charge is to be given up, nor that it is to be asked about',
    async () => {
      const appId = await world.createApp();
      const trial = { value: 1, unit: 'week' } as const;
      const subscriptionId = await world.buy(appId, { paymentMethod: 'pm_pending', trial });
      const { currentPeriodEnd } = await world.subscription(subscriptionId);
      const held = worker.holdPendingCharges();
      await world.advance(appId, currentPeriodEnd);
      const { pendingCharge } = await world.subscription(subscriptionId);
      const requested = await findLastPosition(world, subscriptionId);
      await backedUp(({ position }) => position >= requested);
      await redis.flushall();
      await world.advance(appId, pendingCharge?.graceEndsAt ?? '');
      expect(await world.subscription(subscriptionId)).toMatchObject({
        ...{ status: 'expired', expiredAt: pendingCharge?.graceEndsAt },
      });
      const isAskedAbout = ({ inFlight }: Backup) =>
        inFlight.some(({ member }) => member.includes(subscriptionId));
      await backedUp(isAskedAbout);
      held.letGo();
      await eventually(
        async () => {
          const types = (await world.events(`sandbox_account-${subscriptionId}`)).map(
            ({ type }) => type,
          );
          return types.join(' ') === 'sandbox.charged.v1 sandbox.settled.v1 sandbox.refunded.v1';
        },
        { what: 'the refund of the late capture', limitMs: 20_000 },
      );
    },
    LIMIT_MS,
  );

  it(
    'does not begin again what was given up',
    async () => {
      const gone = await startWebhookReceiver();
      world.onStop(() => gone.close());
      gone.answerWith(() => 500);
      const appId = await world.createApp();
      const { endpointId } = await world.addEndpoint(appId, gone.url);
      const givenUp = await world.buy(appId, { player: 'player-gone' });
      const head = await findLastPosition(world, givenUp);
      await gone.until(({ length }) => length > 0);
      // Five days of failures disable it before that.
      const enable = () => world.commandEndpoint(appId, endpointId, 'EnableWebhookEndpoint');
      const passOn = async () => {
        await clock.passUntilDue(worker);
        await enable();
      };
      await eventually(async () => (await passOn(), isAllGivenUp()), { what: 'the last attempt' });
      await backedUp(
        ({ position, inFlight }) =>
          position >= head && !inFlight.some(({ member }) => member.includes(givenUp)),
      );
      const attempts = gone.received.length;
      // A delivery that fails for the last time as its endpoint is disabled is held, and tried once more
      // (rules/webhooks 6).
      const more = attempts - 2 * ATTEMPTS;
      expect([0, 1, 2]).toContain(more);
      const every = (count: number, outcome: string) =>
        Array.from({ length: count }, () => `${outcome} 500 the receiver answered 500`);
      const logged = [...every(2, 'exhausted'), ...every(2 * (ATTEMPTS - 1) + more, 'failed')];
      await untilLogged(world, endpointId, logged);
      const named = ({ exhausted }: Backup) => findGivenUp(exhausted, givenUp);
      const known = [
        ...[{ type: 'payment.succeeded', attempts: ATTEMPTS, reason: 'the receiver answered 500' }],
        ...[
          { type: 'subscription.created', attempts: ATTEMPTS, reason: 'the receiver answered 500' },
        ],
      ];
      await redis.flushall();
      gone.answerWith(() => 204);
      const boughtLater = await world.buy(appId, { player: 'player-later' });
      // The worker has not heard yet that the breaker is lost as well.
      await eventually(async () => (await passOn(), gone.received.length >= attempts + 2), {
        what: 'what came later',
      });
      const later = gone.received.slice(attempts);
      const typesFor = (id: string) =>
        later
          .filter(({ data }) => [data['id'], data['subscription_id']].includes(id))
          .map(({ type }) => type)
          .sort();
      expect(typesFor(givenUp)).toEqual([]);
      expect(typesFor(boughtLater)).toEqual(['payment.succeeded', 'subscription.created']);
      expect(later).toHaveLength(2);
      // A new Redis knows them, and the next backup has them from there.
      const inRedis = (await redis.zrange(keys.exhausted, 0, '-1')).map(parseGivenUp);
      expect(findGivenUp(inRedis, givenUp)).toMatchObject(known);
      await worker.stop();
      worker = await world.startWorker();
      const last = await findLastPosition(world, await world.buy(appId, { player: 'player-last' }));
      // This worker's backup begins with a snapshot of Redis.
      await backedUp(({ position }) => position >= last);
      const { backup } = await readBackup(world.client, backups);
      expect(backup && named(backup)).toMatchObject(known);
      await resendAllFailed(appId, endpointId, givenUp);
      const again = () => gone.received.slice(attempts + 2).filter(concerns(givenUp));
      await gone.until(() => again().length === 2);
      const first = gone.received.slice(0, attempts).filter(concerns(givenUp));
      for (const { headers, bytes } of again()) {
        expect(headers['service-retry-count']).toBe('0');
        const before = first.find(({ headers: of }) => of['webhook-id'] === headers['webhook-id']);
        expect(before?.bytes.equals(bytes)).toBe(true);
      }
      // It is not listed any more: its merchant has it.
      expect(await listFailed(endpointId)).toEqual([]);
    },
    LIMIT_MS,
  );
});
