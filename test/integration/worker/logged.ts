import { expect } from 'vitest';
import { openRedis } from '#redis';
import { DeliveryLog, type LoggedAttempt } from '#worker-state';
import { eventually } from '../../support/eventually.js';
import type { World } from './world.js';

/** Until as many attempts at an endpoint are in its log; they are these, in any order: outcome, status and error. */
export async function untilLogged(
  { client, redisUrl }: Pick<World, 'client' | 'redisUrl'>,
  endpointId: string,
  expected: readonly string[],
): Promise<void> {
  const redis = openRedis(redisUrl, {});
  const log = new DeliveryLog(redis, await client.namespaces.require());
  const read = async () => {
    const options = { limit: 100, nowMs: Date.now() };
    const { deliveries } = await log.readDeliveries(endpointId, options);
    return deliveries.flatMap(({ attempts }) => attempts.map(describeAttempt)).sort();
  };
  try {
    await eventually(async () => (await read()).length >= expected.length, {
      what: 'the delivery log',
    });
    expect(await read()).toEqual([...expected].sort());
  } finally {
    redis.disconnect();
  }
}

function describeAttempt({ outcome, status, error }: LoggedAttempt): string {
  return [outcome, status ?? '', error?.text ?? ''].filter((part) => part !== '').join(' ');
}
