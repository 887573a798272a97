import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ResentMessage } from '#domain/webhook-endpoint';
import { Partitions } from '#event-store';
import { backupStream } from '#worker-state';
import { IN_FLIGHT_OF_ENDPOINT } from '../../../apps/worker/src/limits.js';
import { eventually } from '../../support/eventually.js';
import {
  type ReceivedWebhook,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../support/webhook-receiver.js';
import { askEndpoint } from './ask-endpoint.js';
import { untilBackedUp } from './backed-up.js';
import { untilLogged } from './logged.js';
import type { RunningWorker } from './worker-here.js';
import { World } from './world.js';

/** The smallest in-flight limits: an endpoint is soon backlogged. */
const PARTITIONS = 50;
const WINDOW = IN_FLIGHT_OF_ENDPOINT / PARTITIONS;

let world: World;
let worker: RunningWorker;
let receivers: readonly [WebhookReceiver, WebhookReceiver];

beforeAll(async () => {
  world = await World.start({ partitions: PARTITIONS });
  receivers = [await startWebhookReceiver(), await startWebhookReceiver()];
  for (const receiver of receivers) world.onStop(() => receiver.close());
  worker = await world.startWorker();
});
afterAll(() => world.stop());
afterEach(() => receivers[0].answerWith(() => 204));

/** An app with an endpoint that is asked, and another one; and a purchase, which both have heard of. */
async function buyOnce(eventTypes?: string[]) {
  const [asked, other] = receivers;
  const appId = await world.createApp();
  const { endpointId } = await world.addEndpoint(appId, asked.url, eventTypes);
  await world.addEndpoint(appId, other.url);
  const subscriptionId = await world.buy(appId);
  const sentTo = (receiver: WebhookReceiver) => receiver.sentFor(subscriptionId);
  await other.until(() => sentTo(other).length === 2);
  return { appId, endpointId, subscriptionId, asked, other, sentTo };
}

const idOf = ({ headers }: ReceivedWebhook) => String(headers['webhook-id']);
const named = (subscriptionId: string, revision: number, webhook: ReceivedWebhook) => ({
  ...{ streamName: `subscription-${subscriptionId}`, revision, messageId: idOf(webhook) },
});
const ask = (appId: string, endpointId: string, messages: readonly ResentMessage[]) =>
  askEndpoint(world, appId, endpointId, {
    ...{ kind: 'RequestResend', resend: { messages, restAfter: null } },
  });

describe('messages that are sent again', () => {
  it('have the same id, body and number, go to the endpoint that was asked alone, each time', async () => {
    const { appId, endpointId, subscriptionId, asked, other, sentTo } = await buyOnce();
    await asked.until(() => sentTo(asked).length === 2);
    const [payment, created] = sentTo(asked) as [ReceivedWebhook, ReceivedWebhook];
    const both = [payment, created].map((each) => named(subscriptionId, 0, each));
    for (const count of [4, 6]) {
      await ask(appId, endpointId, both);
      await asked.until(() => sentTo(asked).length === count);
    }
    const shown = ({ headers, bytes }: ReceivedWebhook) => [
      ...[headers['webhook-id'], headers['service-event-sequence']],
      ...[headers['service-retry-count'], String(bytes)],
    ];
    const [first, second] = [shown(payment), shown(created)];
    const all = sentTo(asked).map(shown);
    expect(all).toEqual([first, second, first, second, first, second]);
    expect(sentTo(other)).toHaveLength(2);
    await untilLogged(
      world,
      endpointId,
      Array.from({ length: 6 }, () => 'delivered 204'),
    );
  });

  it('are all sent, oldest first, where there are more than a window holds, and Redis is lost meanwhile', async () => {
    const { appId, endpointId, subscriptionId, asked, sentTo } = await buyOnce();
    for (let n = 0; n < WINDOW; n += 1) {
      await world.cancel(appId, subscriptionId);
      await world.reactivate(appId, subscriptionId);
    }
    const count = 2 * WINDOW + 2;
    await asked.until(() => sentTo(asked).length === count);
    const events = await world.events(`subscription-${subscriptionId}`);
    const isSent = (type: string) => /created|canceled|reactivated/.test(type);
    const revisions = events.filter(({ type }) => isSent(type)).map(({ revision }) => revision);
    const before = sentTo(asked);
    // The first event gives two messages.
    const places = [revisions[0], ...revisions];
    const all = before.map((each, at) => named(subscriptionId, places[at] ?? 0, each));
    asked.answerWith(() => 500);
    await ask(appId, endpointId, all);
    const { layoutId } = await world.client.namespaces.require();
    const stream = backupStream(layoutId, new Partitions(PARTITIONS).find(endpointId));
    await untilBackedUp(world.client, stream, ({ inFlight, cursors }) => {
      const resent = inFlight.filter(({ member }) => member.includes(endpointId));
      return resent.length > WINDOW / 2 && cursors.some((each) => each.endpointId === endpointId);
    });
    await worker.stop();
    await world.redis.command('FLUSHALL');
    const failed = sentTo(asked).length;
    asked.answerWith(() => 204);
    worker = await world.startWorker();
    const again = () => sentTo(asked).slice(failed);
    await eventually(async () => new Set(again().map(idOf)).size === count, {
      ...{ what: 'all of them', limitMs: 90_000 },
    });
    // In order; a message that was sent as the worker stopped may come twice.
    expect([...new Set(again().map(idOf))]).toEqual(before.map(idOf));
  });
});
