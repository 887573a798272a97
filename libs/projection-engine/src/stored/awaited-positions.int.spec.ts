import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Redis } from 'ioredis';
import { eventually } from '../../../../test/support/eventually.js';
import { type RunningRedis, startRedis } from '../../../../test/support/redis.js';
import { announceWaits, AwaitedPositions, listenForWaits } from './awaited-positions.js';

const BUSY = 0;
const at = (position: number) => String(position).padStart(20, '0');
describe('positions for which readers wait', () => {
  let server: RunningRedis;
  let redis: Redis;
  let awaited: AwaitedPositions;
  const ends: (() => void)[] = [];

  beforeEach(async () => {
    server = await startRedis();
    redis = new Redis(server.url);
    awaited = new AwaitedPositions();
  });

  afterEach(async () => {
    for (const end of ends.splice(0)) end();
    redis.disconnect();
    await server.stop();
  });

  it('are heard of by all who listen, also after Redis was away', async () => {
    const other = new AwaitedPositions();
    ends.push(...[awaited, other].map((each) => listenForWaits(server.url, 'store-1', each)));
    const foreign = new AwaitedPositions();
    ends.push(listenForWaits(server.url, 'store-2', foreign));
    const heard = async (partition: number) => {
      while (awaited.find(partition) === '' || other.find(partition) === '') {
        await announceWaits(redis, 'store-1', new Map([[partition, at(7)]])).catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    };
    await heard(BUSY);
    // A message that it does not understand is no reason to end.
    await redis.publish('sl:store-1:projector:awaited', 'another form');
    await redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await heard(1);
    expect(awaited.find(1)).toBe(at(7));
    expect(foreign.find(1)).toBe('');
  });

  it('are heard of again once Redis allows what it refused to a connection that came back', async () => {
    ends.push(listenForWaits(server.url, 'store-1', awaited));
    const heard = (partition: number) =>
      eventually(async () => {
        await announceWaits(redis, 'store-1', new Map([[partition, at(7)]]));
        return awaited.find(partition) !== '';
      });
    await heard(BUSY);
    await redis.call('ACL', 'SETUSER', 'default', '-subscribe');
    await redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    // A refusal that is not handled would fail this test, and end a projector.
    await eventually(async () => String(await redis.call('ACL', 'LOG')).includes('subscribe'));
    await redis.call('ACL', 'SETUSER', 'default', '+@all');
    await redis.call('CLIENT', 'KILL', 'TYPE', 'normal');
    await heard(1);
  });
});
