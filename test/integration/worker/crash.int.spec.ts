import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { startWorkerProcess, type WorkerProcess } from './worker-process.js';
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
});
