import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { newUuid } from '#platform';
import { workerKeys } from '../../../apps/worker/src/redis/keys.js';
import { eventually } from '../../support/eventually.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { World } from './world.js';

let world: World;
let receiver: WebhookReceiver;

beforeAll(async () => {
  world = await World.start();
  receiver = await startWebhookReceiver();
  world.onStop(() => receiver.close());
  world.listsEndpoints = false;
});
afterAll(() => world.stop());

it('an endpoint of an older release is sent what happens after it, whenever it was made', async () => {
  const appId = await world.createApp();
  const before = await world.addEndpoint(appId, receiver.url);
  const worker = await world.startWorker();
  const beside = await world.addEndpoint(appId, receiver.url);
  const first = await world.attemptCheckout(appId);
  await receiver.until(() => receivedFor(first.subscriptionId).length === 4);
  await worker.stop();
  // No process of this release runs: the lists are complete, and nothing lists this one.
  const between = await world.addEndpoint(appId, receiver.url);
  const second = await world.attemptCheckout(appId);
  await world.startWorker();
  await receiver.until(() => receivedFor(second.subscriptionId).length === 6);
  expect(await world.events(`endpoint_list-${appId}`)).toHaveLength(3);
  expect((await world.events(`endpoint_list-${appId}`)).map(({ data }) => data)).toEqual(
    [before, beside, between].map(({ endpointId }) => ({ endpointIds: [endpointId] })),
  );
});

it('an endpoint whose list this release cannot read is parked, and holds up no other', async () => {
  const [appId, other] = [await world.createApp(), await world.createApp()];
  const known = await world.addEndpoint(appId, receiver.url);
  const list = `endpoint_list-${appId}`;
  await eventually(async () => (await world.events(list)).length === 1, { what: 'a list' });
  const [{ metadata } = { metadata: {} as never }] = await world.events(list);
  const newer = { id: newUuid(), type: 'endpoint_list.shelved.v9', data: {}, metadata };
  await world.client.append(list, 'any', [newer]);
  const { endpointId } = await world.addEndpoint(appId, receiver.url);
  await world.addEndpoint(other, receiver.url);
  for (const each of [other, appId]) {
    const { subscriptionId } = await world.attemptCheckout(each);
    // Of its two endpoints the app has the one that was listed before.
    await receiver.until(() => receivedFor(subscriptionId).length === 2);
  }
  const { layoutId } = await world.client.namespaces.require();
  const redis = new Redis(world.redis.url);
  const parked = await redis.hkeys(workerKeys(layoutId, 0).parked);
  redis.disconnect();
  expect(parked).toEqual([`webhook_endpoint-${endpointId}`]);
  expect(endpointId).not.toBe(known.endpointId);
});

const receivedFor = (id: string) =>
  receiver.received.filter(({ data }) => data['id'] === id || data['subscription_id'] === id);
