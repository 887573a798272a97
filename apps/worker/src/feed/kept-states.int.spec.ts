import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '#domain/event';
import { type SubscriptionEvent, subscriptionAggregate } from '#domain/subscription';
import { type CommandExecutor, Partitions } from '#event-store';
import {
  created,
  failed,
  renewed,
} from '../../../../libs/domain/src/subscription/spec-support/subscriptions.js';
import { type RunningRedis, startRedis } from '../../../../test/support/redis.js';
import { STATES_KEPT_IN_REDIS } from '../limits.js';
import { workerKeys } from '../redis/keys.js';
import { createEvent, silent } from '../spec-support/fakes.js';
import { KeptStates } from './kept-states.js';
import { StateAtRevisionCache } from './state-at-revision-cache.js';

const keys = workerKeys('store-1', 0);
const life = [created, failed(1), renewed(1)];
const fold = (events: readonly SubscriptionEvent[]) =>
  events.reduce(subscriptionAggregate.decider.evolve, subscriptionAggregate.decider.initialState);

let server: RunningRedis;
let redis: Redis;

beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.url);
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});
beforeEach(() => redis.flushall());

/** A process that reads no stream: what it does not know would be asked for here. */
function startProcess(partitions = 1) {
  const read: number[] = [];
  const load = async (_: unknown, __: string, { toRevision = 0 } = {}) => {
    read.push(toRevision);
    return { state: fold(life.slice(0, toRevision + 1)) };
  };
  // States ask for nothing but a load.
  const commands = { load } as unknown as CommandExecutor;
  const of = new Partitions(partitions);
  const memory = new StateAtRevisionCache(commands, of);
  return { read, memory, kept: new KeptStates(redis, keys, of, memory, silent) };
}

/** An event of a subscription's life. */
const at = (revision: number, id = 'sub_1'): RecordedEvent =>
  createEvent(id, revision + 1, { revision, ...life[revision] });

/** As a batch goes by. */
async function pass({ memory, kept }: ReturnType<typeof startProcess>, ...events: RecordedEvent[]) {
  await kept.recall(events);
  const states = [];
  for (const event of events) states.push(await memory.stateAt(subscriptionAggregate, event));
  await kept.keep(events);
  return states;
}

describe('states that are kept in Redis', () => {
  it('are those of the events before, also to another process: no stream is read', async () => {
    await pass(startProcess(), at(0), at(1));
    const next = startProcess();
    expect(await pass(next, at(2))).toEqual([fold(life)]);
    expect(next.read).toEqual([]);
  });

  it('are not taken for those of another revision: the stream is read', async () => {
    await pass(startProcess(), at(0));
    const behind = startProcess();
    expect(await pass(behind, at(2))).toEqual([fold(life)]);
    const before = startProcess();
    expect(await pass(before, at(1))).toEqual([fold(life.slice(0, 2))]);
    expect([behind.read, before.read]).toEqual([[2], [1]]);
  });

  it('are so many at most, and expire', async () => {
    const partitions = 64;
    const share = Math.ceil(STATES_KEPT_IN_REDIS / partitions);
    const others = Array.from({ length: share + 5 }, (_, n) => [`sub_of_others_${n}`, '[]']);
    await redis.hset(keys.states, ...others.flat());
    await pass(startProcess(partitions), at(0));
    expect(await redis.hlen(keys.states)).toBe(share);
    expect(await redis.ttl(keys.states)).toBeGreaterThan(0);
  });

  it('are done without where Redis does not answer', async () => {
    const away = startProcess();
    // Nothing listens there. A client that would try again would do so beside all later specs of the process.
    const gone = new Redis({ port: 1, lazyConnect: true, retryStrategy: null });
    gone.on('error', () => undefined);
    const kept = new KeptStates(gone, keys, new Partitions(1), away.memory, silent);
    expect(await pass({ ...away, kept }, at(1))).toEqual([fold(life.slice(0, 2))]);
    expect(away.read).toEqual([1]);
  });
});
