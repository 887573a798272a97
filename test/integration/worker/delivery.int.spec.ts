import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sleep } from '#platform';
import { backupStream, workerKeys } from '#worker-state';
import type { Retry } from '../../../apps/worker/src/jobs/retry-queue.js';
import { eventually } from '../../support/eventually.js';
import {
  type ReceivedWebhook,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../support/webhook-receiver.js';
import { untilBackedUp } from './backed-up.js';
import { untilLogged } from './logged.js';
import { RetryClock } from './retry-clock.js';
import type { RunningWorker } from './worker-here.js';
import { World } from './world.js';

describe('the delivery of webhooks', () => {
  let world: World;
  let receiver: WebhookReceiver;
  let redis: Redis;
  let queue: Queue<Retry>;
  let worker: RunningWorker;
  const clock = new RetryClock();

  beforeAll(async () => {
    world = await World.start();
    receiver = await startWebhookReceiver();
    redis = new Redis(world.redis.url);
    const { prefix } = workerKeys((await world.client.namespaces.require()).layoutId, 0);
    queue = new Queue('webhooks', { connection: redis, prefix });
    world.onStop(() => redis.disconnect());
    world.onStop(() => receiver.close());
    // A production app buys here, too; no money moves.
    worker = await world.startWorker({ SANDBOX_IN_PRODUCTION_APPS: 'trial' }, clock);
  });

  afterAll(async () => {
    clock.stop();
    await world.stop();
  });
  afterEach(() => receiver.answerWith(() => 204));

  const receivedFor = (id: string) =>
    receiver.received.filter(({ data }) => data['id'] === id || data['subscription_id'] === id);
  const describeWebhook = ({ type, headers }: ReceivedWebhook) =>
    `${type} ${String(headers['service-event-sequence'])}.${String(headers['service-retry-count'])}`;
  const jobsTo = async (endpointId: string) => {
    const jobs = await queue.getJobs(['waiting', 'active', 'delayed']);
    return jobs.filter(({ data }) => data.endpointId === endpointId);
  };
  const keys = async () => workerKeys((await world.client.namespaces.require()).layoutId, 0);
  const listMembers = async (key: string, endpointId: string) =>
    (await redis.zrange(key, '0', '-1')).filter((member) => member.includes(endpointId));
  /** Until it is so, every retry at an endpoint is made at once. */
  const whileRetrying = (
    endpointId: string,
    what: string,
    isSo: () => boolean | Promise<boolean>,
  ) => eventually(async () => (await clock.passUntilDue(worker, endpointId), isSo()), { what });
  /** The receiver knows of its answer before the worker has made up its mind about it. */
  const untilFailed = (endpointId: string, why: RegExp) =>
    eventually(async () => (await jobsTo(endpointId)).some(({ data }) => why.test(data.reason)), {
      what: `a retry after ${why.source}`,
    });

  it('tries again with the same bytes, and holds back later messages of the same subject only', async () => {
    const appId = await world.createApp();
    const { endpointId } = await world.addEndpoint(appId, receiver.url);
    receiver.answerWith(({ data, headers }) => {
      const isOfFirst = data['external_account_id'] === 'player-first';
      return isOfFirst && headers['service-retry-count'] === '0' ? 503 : 204;
    });
    const first = await world.buy(appId, { player: 'player-first' });
    await receiver.until(() => receivedFor(first).length === 1);
    const other = await world.buy(appId, { player: 'player-other' });
    await receiver.until(() => receivedFor(other).length === 2);
    expect(receivedFor(first).map(describeWebhook)).toEqual(['payment.succeeded 1.0']);
    await whileRetrying(endpointId, 'all four', () => receivedFor(first).length === 4);
    expect(receivedFor(first).map(describeWebhook)).toEqual([
      'payment.succeeded 1.0',
      'payment.succeeded 1.1',
      'subscription.created 2.0',
      'subscription.created 2.1',
    ]);
    const [attempt, retry] = receivedFor(first);
    expect(retry?.bytes.equals(attempt?.bytes ?? Buffer.of())).toBe(true);
    expect(retry?.headers['webhook-id']).toBe(attempt?.headers['webhook-id']);
  });

  it('keeps the order of a subject though everything fails now and then', async () => {
    const appId = await world.createApp();
    const { endpointId } = await world.addEndpoint(appId, receiver.url, ['subscription.*']);
    const subscriptionId = await world.buy(appId);
    await receiver.until(() => receivedFor(subscriptionId).length === 1);
    let calls = 0;
    receiver.answerWith(() => ((calls += 1) === 1 ? 500 : 204));
    for (let n = 0; n < 3; n += 1) {
      await world.cancel(appId, subscriptionId);
      await world.reactivate(appId, subscriptionId);
    }
    await whileRetrying(endpointId, 'all', () => receivedFor(subscriptionId).length === 8);
    const received = receivedFor(subscriptionId).slice(2);
    const changes = ['subscription.canceled', 'subscription.reactivated'];
    expect(received.map(({ type }) => type)).toEqual([...changes, ...changes, ...changes]);
    const sequences = received.map(({ headers }) => headers['service-event-sequence']);
    expect(sequences).toEqual(['3', '4', '5', '6', '7', '8']);
  });

  it('signs nothing with a secret that was copied from another app, and goes on for others', async () => {
    const [victim, thief] = [await world.createApp(), await world.createApp()];
    const secret = world.secrets.create(victim, 'webhook secret');
    const types = ['subscription.created'];
    await world.addEndpoint(victim, receiver.url, types, secret);
    const { endpointId } = await world.addEndpoint(thief, receiver.url, types, secret);
    const stolen = await world.buy(thief);
    await untilFailed(endpointId, /another app or purpose/);
    const honest = await world.buy(victim);
    await receiver.until(() => receivedFor(honest).length === 1);
    expect(receivedFor(stolen)).toEqual([]);
  });

  it('delivers in order what a lost job was to retry, when it is taken up again', async () => {
    const appId = await world.createApp();
    const { endpointId } = await world.addEndpoint(appId, receiver.url, ['subscription.*']);
    receiver.answerWith(() => 503);
    const subscriptionId = await world.buy(appId);
    await untilFailed(endpointId, /503/);
    await world.cancel(appId, subscriptionId);
    const { inFlight } = await keys();
    await eventually(async () => (await listMembers(inFlight, endpointId)).length === 2, {
      what: 'both deliveries',
    });
    receiver.answerWith(() => 204);
    const before = receivedFor(subscriptionId).length;
    for (const lost of await jobsTo(endpointId)) await lost.remove();
    await worker.stop();
    worker = await world.startWorker({ SANDBOX_IN_PRODUCTION_APPS: 'trial' }, clock);
    await receiver.until(() => receivedFor(subscriptionId).length === before + 2);
    const received = receivedFor(subscriptionId).slice(before);
    // Its count is lost with its job.
    expect(received.map(describeWebhook)).toEqual([
      'subscription.created 2.0',
      'subscription.canceled 3.0',
    ]);
  });

  it('ends what waits about a player who is erased meanwhile, and says why', async () => {
    const answers: (() => void)[] = [];
    const holding = createServer((request, response) => {
      request.resume().on('end', () => answers.push(() => response.writeHead(204).end()));
    });
    await new Promise<void>((resolve) => holding.listen(0, '127.0.0.1', resolve));
    world.onStop(async () => void holding.close());
    const { port } = holding.address() as AddressInfo;
    const appId = await world.createApp();
    const { endpointId } = await world.addEndpoint(appId, `http://127.0.0.1:${port}/`);
    const bought = await world.buy(appId, { player: 'player-erased' });
    await eventually(() => answers.length === 1, { what: 'the first message' });
    await world.erasePlayer(appId, 'player-erased');
    // The worker learns of it a moment later; the second message waits behind the first one.
    await sleep(300);
    answers[0]?.();
    const { layoutId } = await world.client.namespaces.require();
    await untilBackedUp(world.client, backupStream(layoutId, 0), ({ exhausted, inFlight }) => {
      const about = ({ member }: { readonly member: string }) => member.includes(bought);
      const ended = exhausted.filter(about);
      const reasons = ended.map(({ type, reason }) => `${type}: ${reason}`);
      return (
        reasons.join() === 'subscription.created: the player was erased' && !inFlight.some(about)
      );
    });
    expect(answers).toHaveLength(1);
    await untilLogged(world, endpointId, ['delivered 204', 'erased the player was erased']);
  });

  it('leaves nothing of a message that was delivered, but a mark and its place in the log', async () => {
    const appId = await world.createApp();
    const { endpointId } = await world.addEndpoint(appId, receiver.url);
    for (let n = 0; n < 5; n += 1) await world.buy(appId, { player: `player-${n}` });
    const { ended, inFlight } = await keys();
    await eventually(async () => (await listMembers(ended, endpointId)).length === 10, {
      what: 'the end of all messages',
    });
    await untilLogged(
      world,
      endpointId,
      Array.from({ length: 10 }, () => 'delivered 204'),
    );
    const keysLeft = async () => redis.keys(`*${endpointId}*`);
    // Its first concurrency slots are lent for a moment.
    await eventually(async () => (await keysLeft()).length === 1, {
      what: 'the end of what is lent',
    });
    expect(await keysLeft()).toEqual([expect.stringContaining(':log:')]);
    expect(await listMembers(inFlight, endpointId)).toEqual([]);
  });
});
