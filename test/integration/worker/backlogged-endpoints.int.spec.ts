import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Partitions } from '#event-store';
import { backupStream, workerKeys } from '#worker-state';
import { IN_FLIGHT_OF_ENDPOINT } from '../../../apps/worker/src/limits.js';
import { eventually } from '../../support/eventually.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { untilBackedUp } from './backed-up.js';
import type { RunningWorker } from './worker-here.js';
import { World } from './world.js';

/** So many that a window of each is quickly full, and few enough to start quickly. */
const PARTITIONS = 25;
const WINDOW = IN_FLIGHT_OF_ENDPOINT / PARTITIONS;
/** Messages of one subject, more than the window of an endpoint in a partition. */
const CHANGES = WINDOW + 10;

describe('a backlogged endpoint', () => {
  let world: World;
  let dead: WebhookReceiver;
  let healthy: WebhookReceiver;
  let redis: Redis;
  let worker: RunningWorker;

  beforeAll(async () => {
    world = await World.start({ partitions: PARTITIONS });
    [dead, healthy] = [await startWebhookReceiver(), await startWebhookReceiver()];
    redis = new Redis(world.redis.url);
    world.onStop(() => redis.disconnect());
    for (const receiver of [dead, healthy]) world.onStop(() => receiver.close());
    worker = await world.startWorker();
  });

  afterAll(() => world.stop());
  afterEach(() => dead.answerWith(() => 204));

  /** The keys of a subscription's data in its partition. */
  const findKeys = async (subscriptionId: string) => {
    const { layoutId } = await world.client.namespaces.require();
    return workerKeys(layoutId, new Partitions(PARTITIONS).find(subscriptionId));
  };
  const inFlightTo = async (endpointId: string, subscriptionId: string) => {
    const { inFlight } = await findKeys(subscriptionId);
    const members = await redis.zrange(inFlight, 0, '-1');
    return members.filter((member) => member.includes(endpointId)).length;
  };
  const findCursor = async (endpointId: string, subscriptionId: string) => {
    const { cursors } = await findKeys(subscriptionId);
    return redis.hget(cursors, endpointId);
  };
  const sequences = (receiver: WebhookReceiver, subscriptionId: string) => [
    ...new Set(
      receiver
        .sentFor(subscriptionId)
        .map(({ headers }) => Number(headers['service-event-sequence'])),
    ),
  ];

  /** An app with a dead endpoint and one that works; and a subscription that changes often. */
  async function fillWindow() {
    const appId = await world.createApp();
    const backlogged = await world.addEndpoint(appId, dead.url);
    await world.addEndpoint(appId, healthy.url);
    await world.commandEndpoint(appId, backlogged.endpointId, 'DisableWebhookEndpoint');
    const subscriptionId = await world.buy(appId);
    for (let n = 0; n < CHANGES / 2; n += 1) {
      await world.cancel(appId, subscriptionId);
      await world.reactivate(appId, subscriptionId);
    }
    const all = Array.from({ length: CHANGES + 2 }, (_, n) => n + 1);
    await healthy.until(() => sequences(healthy, subscriptionId).length === all.length);
    const { endpointId } = backlogged;
    return { appId, endpointId, subscriptionId, all };
  }

  it('has a bounded part of Redis, and is sent all of the rest in order when it is enabled', async () => {
    const { appId, endpointId, subscriptionId, all } = await fillWindow();
    expect(await inFlightTo(endpointId, subscriptionId)).toBe(WINDOW);
    expect(await findCursor(endpointId, subscriptionId)).not.toBeNull();
    expect(sequences(healthy, subscriptionId)).toEqual(all);
    await world.commandEndpoint(appId, endpointId, 'EnableWebhookEndpoint');
    await dead.until(() => sequences(dead, subscriptionId).length === all.length);
    expect(sequences(dead, subscriptionId)).toEqual(all);
    await eventually(async () => (await findCursor(endpointId, subscriptionId)) === null, {
      what: 'no cursor',
    });
    // From then on it is sent new messages as others are.
    await world.cancel(appId, subscriptionId);
    await dead.until(() => sequences(dead, subscriptionId).length === all.length + 1);
  });

  it('loses nothing where Redis is lost, and with a worker that begins anew', async () => {
    const { appId, endpointId, subscriptionId, all } = await fillWindow();
    const { layoutId } = await world.client.namespaces.require();
    const stream = backupStream(layoutId, new Partitions(PARTITIONS).find(subscriptionId));
    await untilBackedUp(world.client, stream, ({ cursors }) =>
      cursors.some((each) => each.endpointId === endpointId),
    );
    await worker.stop();
    await world.redis.command('FLUSHALL');
    worker = await world.startWorker();
    await world.commandEndpoint(appId, endpointId, 'EnableWebhookEndpoint');
    await dead.until(() => sequences(dead, subscriptionId).length === all.length);
    expect(sequences(dead, subscriptionId)).toEqual(all);
  });
});
