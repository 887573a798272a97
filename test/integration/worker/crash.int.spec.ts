import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMilliseconds } from '#domain/calendar';
import { eventually } from '../../support/eventually.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { startWorkerProcess, type WorkerProcess } from './worker-process.js';
import { listPaymentIds } from './payment-ids.js';
import { World } from './world.js';

const LIMIT_MS = 240_000;

describe('a worker that is killed', () => {
  let world: World;
  let receiver: WebhookReceiver;
  let worker: WorkerProcess;

  beforeAll(async () => {
    world = await World.start({ appendOnly: true });
    receiver = await startWebhookReceiver();
    world.onStop(() => receiver.close());
    worker = await startWorkerProcess(world.env);
    world.onStop(() => worker.kill());
  });

  afterAll(() => world.stop());

  /** The charges that the gateway has made, by their keys. */
  const listCharges = async (subscriptionId: string) => {
    const events = await world.events(`sandbox_account-${subscriptionId}`);
    return events
      .filter(({ type }) => type === 'sandbox.charged.v1')
      .map(({ data }) => (data as { key: string }).key);
  };

  it(
    'loses nothing and charges once, whenever it is killed',
    async () => {
      const appId = await world.createApp();
      await world.addEndpoint(appId, receiver.url);
      const attempts: Awaited<ReturnType<World['attemptCheckout']>>[] = [];
      for (let n = 0; n < 12; n += 1) {
        const paymentMethod = n % 3 === 0 ? 'pm_timeout' : 'pm_ok';
        attempts.push(await world.attemptCheckout(appId, { player: `player-${n}`, paymentMethod }));
        if (n % 6 === 5) {
          await worker.kill();
          worker = await startWorkerProcess(world.env);
        }
      }
      for (const { linkId } of attempts) {
        await eventually(async () => (await world.link(linkId)).status === 'completed', {
          what: 'a checkout',
          limitMs: 90_000,
        });
      }
      const received = new Map<string, Set<unknown>>();
      await eventually(
        () => {
          for (const { headers, data, type } of receiver.received) {
            const subject = String(data['subscription_id'] ?? data['id']);
            received.set(
              subject,
              (received.get(subject) ?? new Set()).add(`${type} ${String(headers['webhook-id'])}`),
            );
          }
          return attempts.every(({ subscriptionId }) => received.get(subscriptionId)?.size === 2);
        },
        { what: 'the webhooks', limitMs: 90_000 },
      );
      for (const { subscriptionId, paymentId } of attempts) {
        expect(await listCharges(subscriptionId)).toEqual([paymentId]);
      }
    },
    LIMIT_MS,
  );

  it(
    'takes a test clock on where it was',
    async () => {
      const appId = await world.createApp();
      const subscriptionId = await world.buy(appId);
      const { currentPeriodEnd } = await world.subscription(subscriptionId);
      await world.requestAdvance(appId, addMilliseconds(currentPeriodEnd, 330 * 86_400_000));
      const isUnderWay = async () => (await world.subscription(subscriptionId)).periodsPaid >= 3;
      await eventually(isUnderWay, { what: 'three periods', limitMs: 90_000 });
      await worker.kill();
      worker = await startWorkerProcess(world.env);
      await eventually(async () => (await world.clock(appId)).advance === null, {
        what: 'the test clock',
        limitMs: 90_000,
      });
      const { periodsPaid } = await world.subscription(subscriptionId);
      const paymentIds = await listPaymentIds(world, subscriptionId);
      expect(periodsPaid).toBe(12);
      expect([...(await listCharges(subscriptionId))].sort()).toEqual([...paymentIds].sort());
    },
    LIMIT_MS,
  );

  it(
    'gives an attempt up when it is stopped, and delivers after the next start',
    async () => {
      const appId = await world.createApp();
      const retryCounts: (string | undefined)[] = [];
      let isPatient = true;
      const slow = createServer((request, response) => {
        retryCounts.push(String(request.headers['service-retry-count']));
        if (!isPatient) response.writeHead(204).end();
      }).listen(0, '127.0.0.1');
      await once(slow, 'listening');
      world.onStop(() => slow.closeAllConnections());
      world.onStop(() => void slow.close());
      // A server that listens on TCP has an address with a port.
      const { port } = slow.address() as AddressInfo;
      await world.addEndpoint(appId, `http://127.0.0.1:${port}/`, ['subscription.created']);
      await world.buy(appId);
      await eventually(() => retryCounts.length === 1, { what: 'the attempt' });
      expect(await worker.stop()).toBe(0);
      isPatient = false;
      worker = await startWorkerProcess(world.env);
      await eventually(() => retryCounts.length === 2, { what: 'the delivery' });
      expect(retryCounts).toEqual(['0', '0']);
    },
    LIMIT_MS,
  );

  it(
    'goes on by itself when the event store was away, or Redis stood still',
    async () => {
      const appId = await world.createApp();
      await world.addEndpoint(appId, receiver.url);
      await world.restartStore();
      const first = await world.buy(appId, { player: 'player-after-the-store' });
      world.redis.pause();
      const next = await world.attemptCheckout(appId, { player: 'player-during-the-pause' });
      await sleep(6_000);
      world.redis.resume();
      await eventually(async () => (await world.link(next.linkId)).status === 'completed', {
        what: 'the checkout',
        limitMs: 90_000,
      });
      for (const subject of [first, next.subscriptionId]) {
        const isTold = () =>
          receiver.received.some(({ data }) => data['subscription_id'] === subject);
        await eventually(isTold, { what: 'the webhooks', limitMs: 90_000 });
      }
      expect(await listCharges(next.subscriptionId)).toEqual([next.paymentId]);
    },
    LIMIT_MS,
  );

  it('stops in order', async () => {
    expect(await worker.stop()).toBe(0);
    worker = await startWorkerProcess(world.env);
  });
});
