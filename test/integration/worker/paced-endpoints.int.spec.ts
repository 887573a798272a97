import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { askEndpoint } from './ask-endpoint.js';
import { World } from './world.js';

const PER_SECOND = 4;
const PURCHASES = 5;

let world: World;
let receiver: WebhookReceiver;
const arrivedAtMs: number[] = [];
beforeAll(async () => {
  // One for each of two workers, which share their state in Redis alone.
  world = await World.start({ partitions: 2 });
  receiver = await startWebhookReceiver();
  world.onStop(() => receiver.close());
  receiver.answerWith(() => (arrivedAtMs.push(performance.now()), 204));
  for (const name of ['one', 'other']) await world.startWorker({ INSTANCE_NAME: name });
});
afterAll(() => world.stop());

it('an endpoint gets no more attempts in a second than its merchant has set, from all workers together', async () => {
  const appId = await world.createApp();
  const { endpointId } = await world.addEndpoint(appId, receiver.url);
  const change = { kind: 'ChangeWebhookEndpoint', changes: { maxPerSecond: PER_SECOND } } as const;
  await askEndpoint(world, appId, endpointId, change);
  // All of them are there when the first may go.
  await world.commandEndpoint(appId, endpointId, 'DisableWebhookEndpoint');
  const players = Array.from({ length: PURCHASES }, (_, n) => `player-${n}`);
  await Promise.all(players.map((player) => world.buy(appId, { player })));
  await world.commandEndpoint(appId, endpointId, 'EnableWebhookEndpoint');
  await receiver.until(({ length }) => length === 2 * PURCHASES);
  // The attempts of one second may arrive a little apart.
  const tookMs = (arrivedAtMs.at(-1) ?? 0) - (arrivedAtMs[0] ?? 0);
  expect(tookMs).toBeGreaterThan(Math.floor((2 * PURCHASES - 1) / PER_SECOND) * 1_000 - 200);
});
