import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { inFlightMember, resendMember } from '#checkpoint-backup';
import { openRedis, type Redis } from '#redis';
import { type RunningRedis, startRedis } from '../../../../test/support/redis.js';
import { createEvent, silent } from '../spec-support/fakes.js';
import { RetryQueue } from './retry-queue.js';

let server: RunningRedis;
let redis: Redis;
let queue: RetryQueue;
beforeAll(async () => {
  server = await startRedis();
  redis = openRedis(server.url, { maxRetriesPerRequest: null });
  queue = new RetryQueue({ redis, workers: redis, partition: 0, prefix: '{p}' }, silent);
});
afterAll(async () => {
  await queue.queue.close();
  redis.disconnect();
  await server.stop();
});

it('a message that is sent again has a retry of its own, and each is added once', async () => {
  const event = createEvent('sub_1', 41);
  const { streamName, revision } = event;
  const message = { streamName, revision, messageId: 'msg_1' };
  const members = [
    inFlightMember(event, 'whe_1', 'msg_1'),
    resendMember(createEvent('sub_2', 42), 'whe_1', message, 0),
    resendMember(createEvent('sub_2', 43), 'whe_1', message, 0),
  ];
  const dueAtMs = Date.now() + 60_000;
  for (const member of [...members, ...members]) {
    const attempted = { attempts: 1, firstFailedAtMs: 0, dueAtMs, isAside: false, reason: '500' };
    const retry = { endpointId: 'whe_1', messageId: 'msg_1', member, ...attempted };
    await queue.add(retry, Date.now());
  }
  const added = (await queue.queue.getDelayed()).map(({ data: { member } }) => member);
  expect(added.sort()).toEqual([...members].sort());
});
