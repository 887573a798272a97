import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type JobType, Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { backupStream } from '#checkpoint-backup';
import { webhookEndpointAggregate } from '#domain/webhook-endpoint';
import { sleep, wallClock } from '#platform';
import { workerKeys } from '../../../apps/worker/src/redis/keys.js';
import { eventually } from '../../support/eventually.js';
import {
  type ReceivedWebhook,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../support/webhook-receiver.js';
import { untilBackedUp } from './backed-up.js';
import { World } from './world.js';

describe('the delivery of webhooks', () => {
  let world: World;
  let receiver: WebhookReceiver;
  let redis: Redis;
  let queue: Queue<{ endpointId: string; subject: string }>;

  beforeAll(async () => {
    world = await World.start();
    receiver = await startWebhookReceiver();
    redis = new Redis(world.redis.url);
    const { prefix } = workerKeys((await world.client.namespaces.require()).layoutId, 0);
    queue = new Queue('webhooks', { connection: redis, prefix });
    world.onStop(() => redis.disconnect());
    world.onStop(() => receiver.close());
    // A production app buys here, too; no money moves.
    await world.startWorker({ SANDBOX_IN_PRODUCTION_APPS: 'trial' });
  });

  afterAll(() => world.stop());
  afterEach(() => receiver.answerWith(() => 204));

  const receivedFor = (id: string) =>
    receiver.received.filter(({ data }) => data['id'] === id || data['subscription_id'] === id);
  const describeWebhook = ({ type, headers }: ReceivedWebhook) =>
    `${type} ${String(headers['service-event-sequence'])}.${String(headers['service-retry-count'])}`;
  const IN_FLIGHT_OR_FAILED: JobType[] = ['waiting', 'active', 'delayed', 'failed'];
  const jobsTo = async (endpointId: string, states = IN_FLIGHT_OR_FAILED) => {
    const jobs = await queue.getJobs(states);
    return jobs.filter(({ data }) => data.endpointId === endpointId);
  };
  /** The receiver knows of its answer before the worker has made up its mind about it. */
  const untilFailed = (endpointId: string, why: RegExp, states = IN_FLIGHT_OR_FAILED) =>
    eventually(
      async () => (await jobsTo(endpointId, states)).some((job) => why.test(job.failedReason)),
      { what: `a job that failed for ${why.source}` },
    );

  it('tries again with the same bytes, and holds back later messages of the same subject only', async () => {
    const appId = await world.createApp();
    await world.addEndpoint(appId, receiver.url);
    receiver.answerWith(({ data, headers }) => {
      const isOfFirst = data['external_account_id'] === 'player-first';
      return isOfFirst && headers['service-retry-count'] === '0' ? 503 : 204;
    });
    const first = await world.buy(appId, { player: 'player-first' });
    await receiver.until(() => receivedFor(first).length === 1);
    const other = await world.buy(appId, { player: 'player-other' });
    await receiver.until(() => receivedFor(other).length === 2);
    expect(receivedFor(first).map(describeWebhook)).toEqual(['payment.succeeded 1.0']);
    await receiver.until(() => receivedFor(first).length === 4);
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
    await world.addEndpoint(appId, receiver.url, ['subscription.*']);
    const subscriptionId = await world.buy(appId);
    await receiver.until(() => receivedFor(subscriptionId).length === 1);
    let calls = 0;
    receiver.answerWith(() => ((calls += 1) === 1 ? 500 : 204));
    for (let n = 0; n < 3; n += 1) {
      await world.cancel(appId, subscriptionId);
      await world.reactivate(appId, subscriptionId);
    }
    await receiver.until(() => receivedFor(subscriptionId).length === 8);
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

  it('gives up on a message when the receiver says that it is gone, and goes on with the next', async () => {
    const appId = await world.createApp();
    const { endpointId } = await world.addEndpoint(appId, receiver.url);
    receiver.answerWith(({ type }) => (type === 'payment.succeeded' ? 410 : 204));
    const subscriptionId = await world.buy(appId);
    await receiver.until(() => receivedFor(subscriptionId).length === 2);
    expect(receivedFor(subscriptionId).map(describeWebhook)).toEqual([
      'payment.succeeded 1.0',
      'subscription.created 2.0',
    ]);
    await untilFailed(endpointId, /410/, ['failed']);
  });

  it('never reaches this machine for a production app', async () => {
    const appId = await world.createApp('production');
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(request.url ?? '');
      response.end();
    }).listen(0, '127.0.0.1');
    world.onStop(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    // A server that listens on TCP has an address with a port.
    const { port } = server.address() as AddressInfo;
    const urls = [
      `http://127.0.0.1:${port}/http`,
      `https://127.0.0.1:${port}/literal`,
      `https://localhost.:${port}/name`,
      `https://[::ffff:127.0.0.1]:${port}/mapped`,
    ];
    const endpoints = [];
    for (const url of urls) endpoints.push(await world.addEndpoint(appId, url));
    await world.buy(appId);
    for (const { endpointId } of endpoints) await untilFailed(endpointId, /refused/);
    expect(requests).toEqual([]);
  });

  it('follows no redirect, and takes a long answer for what its status says', async () => {
    const appId = await world.createApp();
    const paths: string[] = [];
    const server = createServer((request, response) => {
      paths.push(request.url ?? '');
      if (request.url === '/moved') response.writeHead(302, { location: '/elsewhere' }).end();
      else response.writeHead(200).end(Buffer.alloc(1_000_000, 'x'));
    }).listen(0, '127.0.0.1');
    world.onStop(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    // A server that listens on TCP has an address with a port.
    const { port } = server.address() as AddressInfo;
    const types = ['subscription.created'];
    const moved = await world.addEndpoint(appId, `http://127.0.0.1:${port}/moved`, types);
    const long = await world.addEndpoint(appId, `http://127.0.0.1:${port}/long`, types);
    await world.buy(appId);
    await eventually(
      async () => paths.length === 2 && (await jobsTo(long.endpointId)).length === 0,
      {
        what: 'both requests',
      },
    );
    await untilFailed(moved.endpointId, /302/);
    expect([...paths].sort()).toEqual(['/long', '/moved']);
  });

  it('drops what waits for an endpoint that is deleted', async () => {
    const appId = await world.createApp();
    const { endpointId } = await world.addEndpoint(appId, receiver.url);
    receiver.answerWith(() => 500);
    const subscriptionId = await world.buy(appId);
    await receiver.until(() => receivedFor(subscriptionId).length === 1);
    const command = { kind: 'DeleteWebhookEndpoint', now: wallClock.now() } as const;
    await world.commands.execute(webhookEndpointAggregate, endpointId, command, {
      ...{ appId, environment: 'test', actor: 'app', correlationId: 'request-2' },
      now: wallClock.now(),
    });
    await eventually(async () => (await jobsTo(endpointId)).length === 0, { what: 'no more jobs' });
    expect(receivedFor(subscriptionId)).toHaveLength(1);
  });

  it('delivers once and in order, though the job of a message is lost', async () => {
    const appId = await world.createApp();
    const { endpointId } = await world.addEndpoint(appId, receiver.url, ['subscription.*']);
    receiver.answerWith(() => 503);
    const subscriptionId = await world.buy(appId);
    await untilFailed(endpointId, /503/, ['delayed']);
    await world.cancel(appId, subscriptionId);
    await eventually(async () => (await jobsTo(endpointId)).length === 2, { what: 'both jobs' });
    receiver.answerWith(() => 204);
    const before = receivedFor(subscriptionId).length;
    const [lost] = await jobsTo(endpointId, ['delayed', 'waiting']).then((jobs) =>
      jobs.filter(({ name }) => name === 'subscription.created'),
    );
    await lost?.remove();
    await receiver.until(() => receivedFor(subscriptionId).length === before + 2);
    const received = receivedFor(subscriptionId).slice(before);
    // It begins with its first attempt, since attempts are counted in the job that was lost.
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
    await world.addEndpoint(appId, `http://127.0.0.1:${port}/`);
    const bought = await world.buy(appId, { player: 'player-erased' });
    await eventually(() => answers.length === 1, { what: 'the first message' });
    await world.erasePlayer(appId, 'player-erased');
    // The worker learns of it a moment later; the second message waits behind the first one.
    await sleep(300);
    answers[0]?.();
    const { layoutId } = await world.client.namespaces.require();
    await untilBackedUp(world.client, backupStream(layoutId, 0), ({ exhausted, inFlight }) => {
      const about = (member: string) => member.includes(bought);
      const ended = [...exhausted.values()].filter(({ member }) => about(member));
      const reasons = ended.map(({ type, reason }) => `${type}: ${reason}`);
      return (
        reasons.join() === 'subscription.created: the player was erased' &&
        ![...inFlight.keys()].some(about)
      );
    });
    expect(answers).toHaveLength(1);
  });

  it('leaves nothing of a message that was delivered or given up, but a mark', async () => {
    const appId = await world.createApp();
    const { endpointId } = await world.addEndpoint(appId, receiver.url);
    receiver.answerWith(({ type }) => (type === 'payment.succeeded' ? 410 : 204));
    for (let n = 0; n < 5; n += 1) await world.buy(appId, { player: `player-${n}` });
    const keys = workerKeys((await world.client.namespaces.require()).layoutId, 0);
    const listMembers = async (key: string) =>
      (await redis.zrange(key, '0', '-1')).filter((member) => member.includes(endpointId));
    const listKeys = async () => {
      const held = await redis.keys(`*${endpointId}*`);
      return held.filter((key) => !key.startsWith(`${keys.prefix}:webhooks:`));
    };
    await eventually(async () => (await listMembers(keys.ended)).length === 10, {
      what: 'the end of all messages',
    });
    expect(await listKeys()).toEqual([]);
    expect(await listMembers(keys.inFlight)).toEqual([]);
    expect(await listMembers(keys.expectedJobs)).toEqual([]);
    // What was given up is kept by BullMQ, for people to look at: its name and why, and no body.
    const kept = await jobsTo(endpointId, ['completed', 'failed']);
    expect(kept.map(({ data }) => Object.keys(data))).toEqual(
      Array.from({ length: 5 }, () => ['endpointId', 'messageId', 'appId']),
    );
  });
});
