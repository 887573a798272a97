import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleMessage } from '#webhooks';
import { DeliveryUpkeep } from '../../../apps/worker/src/delivery/queue/delivery-upkeep.js';
import { eventually } from '../../support/eventually.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { askEndpoint } from './ask-endpoint.js';
import type { RunningWorker } from './worker-here.js';
import { World } from './world.js';

/** Past the first wait of the schedule, and past any late wake-up. */
const NEXT_ATTEMPT_MS = 15_000;

let world: World;
let worker: RunningWorker;
let receivers: readonly [WebhookReceiver, WebhookReceiver];
let aheadMs = 0;
const clock = { now: () => new Date(Date.now() + aheadMs).toISOString() };

beforeAll(async () => {
  world = await World.start();
  receivers = [await startWebhookReceiver(), await startWebhookReceiver()];
  for (const receiver of receivers) world.onStop(() => receiver.close());
  worker = await world.startWorker({}, clock);
});
afterAll(() => world.stop());

const askForTest = (appId: string, endpointId: string, testId: string) =>
  askEndpoint(world, appId, endpointId, {
    ...{ kind: 'RequestTestMessage', testId, eventType: 'payment.failed' },
  });

describe('a test message', () => {
  it('is sent to the endpoint that it was asked for alone, and outlives a loss of Redis and a failure', async () => {
    const [asked, other] = receivers;
    const appId = await world.createApp();
    const { endpointId } = await world.addEndpoint(appId, asked.url, ['subscription.canceled']);
    await world.addEndpoint(appId, other.url);
    asked.answerWith(() => 500);
    await askForTest(appId, endpointId, 'tst_1');
    await asked.until(({ length }) => length === 1);
    await worker.stop();
    await world.redis.command('FLUSHALL');
    worker = await world.startWorker({}, clock);
    // Attempts are counted from the first one again.
    await asked.until(({ length }) => length === 2);
    asked.answerWith(() => 204);
    aheadMs += NEXT_ATTEMPT_MS;
    const [partition] = worker.partitions();
    await eventually(
      async () => {
        await partition?.get(DeliveryUpkeep).check();
        return asked.received.length === 3;
      },
      { what: 'the next attempt' },
    );
    const ids = asked.received.map(({ headers }) => headers['webhook-id']);
    expect([new Set(ids).size, ids[0]]).toEqual([1, expect.stringMatching(/^msg_/)]);
    for (const { bytes, headers } of asked.received) {
      expect(bytes.toString()).toBe(sampleMessage('payment.failed', 'test'));
      expect(headers['service-event-sequence']).toBe('0');
    }
    expect(other.received).toEqual([]);
    await askForTest(appId, endpointId, 'tst_2');
    await asked.until(({ length }) => length === 4);
    expect(asked.received.at(-1)?.headers['webhook-id']).not.toBe(ids[0]);
  });
});
