import { afterAll, beforeAll, expect, it } from '@jest/globals';
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

const receivedFor = (id: string) =>
  receiver.received.filter(({ data }) => data['id'] === id || data['subscription_id'] === id);
