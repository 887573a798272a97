import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRedis, type Redis } from '#redis';
import { inFlightMember, resendMember } from '#worker-state';
import { type RunningRedis, startRedis } from '../../../../test/support/redis.js';
import { createEvent, silent } from '../spec-support/fakes.js';
import { type Retry, RetryQueue } from './retry-queue.js';

let server: RunningRedis;
let redis: Redis;
let queue: RetryQueue;
const retry = (member: string): Retry => ({
  ...{ endpointId: 'whe_1', messageId: 'msg_1', member, firstFailedAtMs: 1, enabledAt: 'monday' },
  reason: '500',
});
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
  for (const member of [...members, ...members]) await queue.add(retry(member), 60_000);
  const added = (await queue.queue.getDelayed()).map(({ data }) => data.member);
  expect(added.sort()).toEqual([...members].sort());
});

it('what failed is read page by page, with the attempts that its job counts', async () => {
  await queue.queue.obliterate({ force: true });
  const members = Array.from({ length: 1_200 }, (_, n) => `${n} whe_1 sub_1 ${n} 0 msg_1`);
  await Promise.all(members.map((member, n) => queue.add(retry(member), n % 2 === 0 ? 60_000 : 0)));
  const all = await queue.readAll();
  expect([...all.keys()].sort()).toEqual([...members].sort());
  expect(all.get(members[0]!)).toMatchObject({
    attempts: 1,
    firstFailedAtMs: 1,
    enabledAt: 'monday',
  });
});

it('what is promoted is due now, in order; what is due or gone stays so', async () => {
  await queue.queue.obliterate({ force: true });
  const [first, second, due] = ['1 whe_1', '2 whe_1', '3 whe_1'];
  for (const member of [second, first]) await queue.add(retry(member), 60_000);
  await queue.add(retry(due), 0);
  await queue.promote([first, second, due, '4 gone']);
  const waiting = (await queue.queue.getWaiting()).map(({ data }) => data.member);
  expect(waiting).toEqual([due, first, second]);
  expect([await queue.has(first), await queue.has('4 gone')]).toEqual([true, false]);
});
