import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { appendAttempts, DeliveryLog, openDeliveryLog } from '#delivery-log';
import { Fault } from '#platform';
import { openRedis, type Redis } from '#redis';
import { type RunningRedis, startRedis } from '../../../../../../test/support/redis.js';
import { createPageTokens } from '../../../http/page-token.js';
import { DeliveryListQuery } from '../delivery.dto.js';
import { ListDeliveries, ListDeliveriesHandler } from './list-deliveries.js';

const LEDGER = { layoutId: 'ledger', partitions: 2 };
const attempt = (messageId: string, player: string | null) => ({
  ...{ endpointId: 'whe_1', messageId, type: 'payment.failed', streamName: 'sl.payment-3f.pay_1' },
  ...{ revision: 1, sequence: 2, attempt: 0, startedAt: '2027-01-31T10:00:00.000Z' },
  ...{ durationMs: 7, outcome: 'delivered' as const, status: 200, error: null },
  ...{ player, answer: player === null ? 'answered a test' : `sealed for ${player}` },
});

let server: RunningRedis;
let redis: Redis;
let log: DeliveryLog;
let handler: ListDeliveriesHandler;
beforeAll(async () => {
  server = await startRedis();
  redis = openRedis(server.url, { maxRetriesPerRequest: null });
  log = openDeliveryLog(server.url, LEDGER);
  // As much of an endpoint as is asked for.
  const apps = { findEndpoint: async () => ({ appId: 'app_1' }) } as never;
  const tokens = createPageTokens(() => [Buffer.alloc(32)]);
  handler = new ListDeliveriesHandler(apps, log, tokens, { openAnswer });
  await appendAttempts(redis, { ...LEDGER, partition: 0 }, [attempt('msg_1', 'ann')]);
  await appendAttempts(redis, { ...LEDGER, partition: 1 }, [attempt('msg_2', 'erased')]);
  await appendAttempts(redis, { ...LEDGER, partition: 1 }, [attempt('msg_3', 'altered')]);
  await appendAttempts(redis, { ...LEDGER, partition: 1 }, [attempt('msg_4', null)]);
});
afterAll(async () => {
  redis.disconnect();
  log.close();
  await server.stop();
});

async function openAnswer({ player }: { player: string }): Promise<string | undefined> {
  if (player === 'altered') throw new Fault('undecodable', 'it was altered', { retryable: false });
  return player === 'erased' ? undefined : `answered ${player}`;
}

const list = (more: Partial<DeliveryListQuery> = {}, appId = 'app_1') =>
  handler.execute(new ListDeliveries(appId, 'whe_1', Object.assign(new DeliveryListQuery(), more)));

it('the attempts at an endpoint are listed by pages, with the answers that open', async () => {
  const { deliveries } = await list();
  expect(new Map(deliveries.map(({ messageId, answer }) => [messageId, answer]))).toEqual(
    new Map([
      ['msg_4', 'answered a test'],
      ['msg_3', null],
      ['msg_2', null],
      ['msg_1', 'answered ann'],
    ]),
  );
  const first = await list({ limit: 2 });
  const second = await list({ limit: 2, pageToken: first.nextPageToken });
  expect([...first.deliveries, ...second.deliveries]).toEqual(deliveries);
  expect(second.nextPageToken).toBe('');
  expect((await list({ messageId: 'msg_1' })).deliveries).toHaveLength(1);
  // The token is of the whole list, and of no part of it.
  const { nextPageToken: pageToken } = first;
  await expect(list({ limit: 2, pageToken, outcome: 'failed' })).rejects.toThrow('pageToken');
});

it('the endpoints of other apps are not found', async () => {
  await expect(list({}, 'app_2')).rejects.toThrow('whe_1');
});
