import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { webhookEndpointAggregate } from '#domain/webhook-endpoint';
import type { AppDirectory } from '#tenancy';
import { EndpointFailures } from '#worker-state';
import { DeliveryUpkeep } from '../../../apps/worker/src/delivery/queue/delivery-upkeep.js';
import { EndpointQueues } from '../../../apps/worker/src/delivery/queue/endpoint-queue.js';
import { FAILING_DISABLES_AFTER_MS } from '../../../apps/worker/src/limits.js';
import { APPS } from '../../../apps/worker/src/tokens.js';
import { eventually } from '../../support/eventually.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { askEndpoint } from './ask-endpoint.js';
import { listDelayed, makeDue } from './due-retries.js';
import type { RunningWorker } from './worker-here.js';
import { World } from './world.js';

/** As many failures as open the breaker, and then some that wait. */
const [OPEN_IT, WAIT] = [5, 2];
const MINUTE_MS = 60_000;

describe('an endpoint that fails', () => {
  let world: World;
  let receiver: WebhookReceiver;
  let worker: RunningWorker;
  let redis: Redis;
  let layoutId: string;
  /** How far the clock of this process is ahead. */
  let aheadMs = 0;
  /** While no time passes but that of the test. */
  let stoppedAtMs: number | undefined;
  const clock = { now: () => new Date(Date.now()).toISOString() };
  const { now } = Date;

  beforeAll(async () => {
    // The worker's, BullMQ's and that of the breakers.
    Date.now = () => (stoppedAtMs ?? now()) + aheadMs;
    world = await World.start();
    ({ layoutId } = await world.client.namespaces.require());
    redis = new Redis(world.redis.url);
    world.onStop(() => redis.disconnect());
    receiver = await startWebhookReceiver();
    world.onStop(() => receiver.close());
    worker = await world.startWorker({}, clock);
  });
  afterAll(async () => {
    Date.now = now;
    await world.stop();
  });
  afterEach(() => receiver.answerWith(() => 204));

  /** Lets the time pass, and has looked at the due deliveries. */
  async function pass(ms: number): Promise<void> {
    aheadMs += ms;
    await makeDue(worker);
    const [partition] = worker.partitions();
    await partition?.get(DeliveryUpkeep).check();
  }
  const read = (endpointId: string) =>
    new EndpointFailures(redis, { layoutId }).read(endpointId, Date.parse(clock.now()));
  const findEndpoint = async (endpointId: string) =>
    worker.partitions()[0]?.get<AppDirectory>(APPS).findEndpoint(endpointId);
  const findQueue = (endpointId: string) =>
    worker.partitions()[0]?.get(EndpointQueues).find(endpointId);
  const queueSize = (endpointId: string) => findQueue(endpointId)?.size ?? 0;
  /** The failures are known before their deliveries have jobs. */
  const untilFailed = (endpointId: string, failures: number) =>
    eventually(
      async () =>
        (await read(endpointId)).failures >= failures &&
        findQueue(endpointId)?.offered === 0 &&
        (await listDelayed(worker, endpointId)).length > 0,
      { what: `${failures} failures` },
    );
  const buyAll = async (appId: string, count: number, from = 0) => {
    for (let n = from; n < from + count; n += 1) await world.buy(appId, { player: `player-${n}` });
  };

  it('is tried by one message at a time when its breaker was open, and no attempt is used up before', async () => {
    const appId = await world.createApp();
    const { endpointId } = await world.addEndpoint(appId, receiver.url);
    receiver.answerWith(() => 500);
    stoppedAtMs = now();
    await buyAll(appId, OPEN_IT);
    await untilFailed(endpointId, OPEN_IT);
    expect((await read(endpointId)).breaker).toBe('open');
    await buyAll(appId, WAIT, OPEN_IT);
    await eventually(() => queueSize(endpointId) === 2 * (OPEN_IT + WAIT), { what: 'all of them' });
    // All retries are due, and so are deliveries that never were sent: one of them goes.
    await pass(10_000);
    await untilFailed(endpointId, OPEN_IT + 1);
    await pass(3_000);
    expect(receiver.received).toHaveLength(OPEN_IT + 1);
    receiver.answerWith(() => 204);
    stoppedAtMs = undefined;
    await pass(20_000);
    await eventually(() => queueSize(endpointId) === 0, { what: 'all deliveries' });
    expect(receiver.received).toHaveLength(OPEN_IT + 1 + 2 * (OPEN_IT + WAIT));
    expect(await read(endpointId)).toMatchObject({ breaker: 'closed', failures: 0 });
  });

  it('is known to have failed after a stop in the middle of an attempt: its retries go on where they were', async () => {
    const appId = await world.createApp();
    const { endpointId } = await world.addEndpoint(appId, receiver.url, ['subscription.created']);
    receiver.answerWith(() => 500);
    const failing = await world.buy(appId, { player: 'player-stopped' });
    const counts = () =>
      receiver.sentFor(failing).map(({ headers }) => headers['service-retry-count']);
    await untilFailed(endpointId, 1);
    await pass(10_000);
    await untilFailed(endpointId, 2);
    receiver.answerWith(() => undefined);
    await pass(60_000);
    await receiver.until(() => counts().length === 3);
    await worker.stop();
    receiver.answerWith(() => 204);
    worker = await world.startWorker({}, clock);
    await receiver.until(() => counts().length === 4);
    expect(counts()).toEqual(['0', '1', '2', '2']);
    await eventually(async () => (await listDelayed(worker)).length === 0, { what: 'its end' });
  });

  it('is sent what comes later of a subject when that has failed for an hour, and not before', async () => {
    const appId = await world.createApp();
    const { endpointId } = await world.addEndpoint(appId, receiver.url);
    receiver.answerWith(({ type }) => (type === 'payment.succeeded' ? 500 : 204));
    const id = await world.buy(appId, { player: 'player-passed' });
    const types = () => [...new Set(receiver.typesSentFor(id))];
    await untilFailed(endpointId, 1);
    await pass(59 * MINUTE_MS);
    await untilFailed(endpointId, 2);
    expect(types()).toEqual(['payment.succeeded']);
    await pass(MINUTE_MS);
    await eventually(() => types().length === 2, { what: 'the message that passes' });
    expect(types()).toEqual(['payment.succeeded', 'subscription.created']);
  });

  it('has the days of its failures go on at a test, and what had failed when it is enabled, after a stop, too', async () => {
    const appId = await world.createApp();
    const { endpointId } = await world.addEndpoint(appId, receiver.url, ['subscription.created']);
    receiver.answerWith(() => 500);
    const ids: string[] = [];
    for (let n = 1; n <= 3; n += 1) {
      ids.push(await world.buy(appId, { player: `player-enabled-${n}` }));
      await untilFailed(endpointId, n);
    }
    const { failingSince } = await read(endpointId);
    await askEndpoint(world, appId, endpointId, {
      ...{ kind: 'RequestTestMessage', testId: 'tst_1', eventType: 'payment.failed' },
    });
    await untilFailed(endpointId, 4);
    expect((await read(endpointId)).failingSince).toBe(failingSince);
    await world.commandEndpoint(appId, endpointId, 'DisableWebhookEndpoint');
    await eventually(async () => (await findEndpoint(endpointId))?.state === 'disabled', {
      what: 'the news of it',
    });
    const waits = await world.buy(appId, { player: 'player-enabled-4' });
    await eventually(() => queueSize(endpointId) === 5, { what: 'all of them' });
    await worker.stop();
    worker = await world.startWorker({}, clock);
    await eventually(() => queueSize(endpointId) === 5, { what: 'all of them again' });
    receiver.answerWith(() => 204);
    const before = receiver.received.length;
    await world.commandEndpoint(appId, endpointId, 'EnableWebhookEndpoint');
    await receiver.until(() => receiver.received.length === before + 5);
    const sent = receiver.received.slice(before).map(({ data }) => String(data['id']));
    const all = [...ids, waits];
    expect(sent.filter((id) => all.includes(id)).sort()).toEqual(all.sort());
  });

  it('is disabled after five days without a success, and holds all until it is enabled', async () => {
    const appId = await world.createApp();
    const { endpointId } = await world.addEndpoint(appId, receiver.url);
    const isDisabled = async () => {
      const { state } = await world.commands.load(webhookEndpointAggregate, endpointId);
      return state.status === 'disabled' && state.disabled?.reason === 'failing';
    };
    receiver.answerWith(() => 500);
    const subscriptionId = await world.buy(appId);
    await untilFailed(endpointId, 1);
    await pass(FAILING_DISABLES_AFTER_MS / 2);
    await untilFailed(endpointId, 2);
    expect(await isDisabled()).toBe(false);
    await pass(FAILING_DISABLES_AFTER_MS / 2);
    await eventually(isDisabled, { what: 'the disabling' });
    await eventually(async () => (await findEndpoint(endpointId))?.state === 'disabled', {
      what: 'the news of it',
    });
    // The first message was deferred, so that the second may have had an attempt before the time went on, and
    // another one before the first was known to disable the endpoint.
    const made = receiver.sentFor(subscriptionId).length;
    expect([3, 4, 5]).toContain(made);
    receiver.answerWith(() => 204);
    await pass(FAILING_DISABLES_AFTER_MS);
    expect(receiver.sentFor(subscriptionId)).toHaveLength(made);
    await world.commandEndpoint(appId, endpointId, 'EnableWebhookEndpoint');
    await receiver.until(() => receiver.sentFor(subscriptionId).length === made + 2);
  });
});
