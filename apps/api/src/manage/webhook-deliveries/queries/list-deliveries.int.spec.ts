import { afterAll, beforeAll, expect, it } from 'vitest';
import { Fault } from '#platform';
import { openRedis, type Redis } from '#redis';
import { appendAttempts, DeliveryLog } from '#worker-state';
import { type RunningRedis, startRedis } from '../../../../../../test/support/redis.js';
import { createPageTokens } from '../../../http/page-token.js';
import { DeliveryListQuery } from '../delivery.dto.js';
import { ListDeliveries, ListDeliveriesHandler } from './list-deliveries.js';

const LEDGER = { layoutId: 'ledger', partitions: 2 };
const attempt = (messageId: string, player: string | null) => ({
  ...{ endpointId: 'whe_1', messageId, type: 'payment.failed', streamName: 'sl.payment-3f.pay_1' },
  ...{ revision: 1, sequence: 2, attempt: 0, startedAt: '2027-01-31T10:00:00.000Z' },
  ...{ durationMs: 7, outcome: 'delivered' as const, status: 200, error: null },
  url: 'https://studio.example/before',
  ...{ player, answer: player === null ? 'answered a test' : `sealed for ${player}` },
});

let server: RunningRedis;
let redis: Redis;
let handler: ListDeliveriesHandler;
beforeAll(async () => {
  server = await startRedis();
  redis = openRedis(server.url, { maxRetriesPerRequest: null });
  const log = new DeliveryLog(redis, LEDGER);
  // As much of an endpoint as is asked for.
  const apps = { findEndpoint: async () => ({ appId: 'app_1' }) } as never;
  const tokens = createPageTokens(() => [Buffer.alloc(32)]);
  handler = new ListDeliveriesHandler(apps, log, tokens, { openAnswer }, { render });
  await appendAttempts(redis, { ...LEDGER, partition: 0 }, [attempt('msg_1', 'ann')]);
  await appendAttempts(redis, { ...LEDGER, partition: 1 }, [attempt('msg_2', 'erased')]);
  await appendAttempts(redis, { ...LEDGER, partition: 1 }, [attempt('msg_3', 'altered')]);
  await appendAttempts(redis, { ...LEDGER, partition: 1 }, [attempt('msg_4', null)]);
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

async function openAnswer({ player }: { player: string }): Promise<string | undefined> {
  if (player === 'altered') throw new Fault('undecodable', 'it was altered', { retryable: false });
  return player === 'erased' ? undefined : `answered ${player}`;
}

const render = async ({ messageId }: { messageId: string }) => `the body of ${messageId}`;

const list = (more: Partial<DeliveryListQuery> = {}, appId = 'app_1') =>
  handler.execute(
    new ListDeliveries({
      appId,
      endpointId: 'whe_1',
      query: Object.assign(new DeliveryListQuery(), more),
    }),
  );

it('what was sent to an endpoint is listed by pages, with the answers that open', async () => {
  const { deliveries } = await list();
  const answers = deliveries.map(({ webhookId, attempts }) => [
    webhookId,
    attempts[0]?.answer?.body,
  ]);
  expect(new Map(answers as [string, string | null][])).toEqual(
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
  // The token is of the whole list, and of no part of it.
  const { nextPageToken: pageToken } = first;
  await expect(list({ limit: 2, pageToken, state: 'failing' })).rejects.toThrow('pageToken');
});

it('one message is shown as it was sent, with its body and without what proves that we sent it', async () => {
  expect((await list({ webhookId: 'msg_1' })).deliveries).toEqual([
    {
      ...{ webhookId: 'msg_1', type: 'payment.failed', state: 'delivered', sequence: 2 },
      ...{ streamName: 'sl.payment-3f.pay_1', revision: 1, recordedAt: expect.any(String) },
      body: 'the body of msg_1',
      attempts: [
        {
          ...{ attempt: 1, startedAt: '2027-01-31T10:00:00.000Z', durationMs: 7, error: null },
          request: {
            url: 'https://studio.example/before',
            headers: {
              'content-type': 'application/json',
              'webhook-id': 'msg_1',
              'webhook-timestamp': '1801389600',
              'service-retry-count': '0',
              'service-event-sequence': '2',
            },
          },
          answer: { status: 200, body: 'answered ann' },
        },
      ],
    },
  ]);
  const [inList] = (await list()).deliveries;
  expect(inList?.body).toBeNull();
});

it('an attempt at which nothing was sent has no request', async () => {
  const error = { code: 'not_made', text: 'it does not open' };
  const unsent = { ...attempt('msg_5', null), outcome: 'failed' as const, status: null, error };
  const other = { endpointId: 'whe_2', answer: null };
  await appendAttempts(redis, { ...LEDGER, partition: 0 }, [{ ...unsent, ...other }]);
  const { deliveries } = await handler.execute(
    new ListDeliveries({ appId: 'app_1', endpointId: 'whe_2', query: new DeliveryListQuery() }),
  );
  expect(deliveries).toMatchObject([
    { state: 'failing', attempts: [{ request: null, answer: null, error }] },
  ]);
});

it('the endpoints of other apps are not found', async () => {
  await expect(list({}, 'app_2')).rejects.toThrow('whe_1');
});
