import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openRedis, type Redis } from '#redis';
import { eventually } from '../../../test/support/eventually.js';
import { type RunningRedis, startRedis } from '../../../test/support/redis.js';
import { appendAttempts, type AttemptToLog, DeliveryLog, type LoggedDelivery } from './index.js';
import { encodeAttempt } from './attempt.js';
import { workerKeys } from './keys.js';
import { ATTEMPTS_AT_ONCE, KEPT_SECONDS } from './limits.js';

const ENDPOINT = 'whe_01jz8m0000000000000000003f';
const WEEK_MS = KEPT_SECONDS * 1_000;

/** As long as the real ones are. */
function attempt(messageId: string, more: Partial<AttemptToLog> = {}): AttemptToLog {
  return {
    ...{ endpointId: ENDPOINT, messageId, type: 'subscription.payment_succeeded' },
    streamName: 'sl.subscription-3f.sub_01jz8m5v7w3f00000000000000',
    ...{ revision: 12, sequence: 25, attempt: 0, startedAt: '2027-01-31T10:00:00.123Z' },
    ...{ durationMs: 48, outcome: 'delivered', status: 200, error: null },
    ...{ player: '5f2a9c04d1e84b7796ab30c2d4e5f601', answer: null },
    url: 'https://studio.example/subledger/webhooks',
    ...more,
  };
}

const messageIds = (deliveries: readonly LoggedDelivery[]) =>
  deliveries.map((each) => each.messageId);

let server: RunningRedis;
let redis: Redis;
let layoutId: string;
beforeAll(async () => {
  server = await startRedis();
  redis = openRedis(server.url, { maxRetriesPerRequest: null });
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});
beforeEach(() => {
  layoutId = randomUUID();
});

const place = (partition: number, partitions = 3) => ({ layoutId, partition, partitions });
const append = (partition: number, ...attempts: AttemptToLog[]) =>
  appendAttempts(redis, place(partition), attempts);
const log = () => new DeliveryLog(redis, { layoutId, partitions: 3 });
const logKey = (partition: number, endpointId = ENDPOINT) =>
  workerKeys(layoutId, partition).deliveryLog(endpointId);
const readAll = (options: Partial<Parameters<DeliveryLog['readDeliveries']>[1]> = {}) =>
  log().readDeliveries(ENDPOINT, { limit: 100, nowMs: Date.now(), ...options });

/** An entry of a time that is past, by the same fields. Ids of a stream rise. */
async function appendAt(ms: number, partition: number, messageId: string): Promise<void> {
  await redis.xadd(logKey(partition), `${ms}-*`, 'v', encodeAttempt(attempt(messageId)));
}

describe('the delivery log', () => {
  it('gives back what was appended', async () => {
    const failed = attempt('msg_1', {
      ...{ outcome: 'failed', status: null, attempt: 3, player: null },
      error: { code: 'ECONNREFUSED', text: 'nothing listens there' },
      answer: 'p1.k.i.t.c',
    });
    await append(1, failed, attempt('msg_2'));
    const { deliveries, next } = await readAll();
    const { endpointId: _, ...shown } = failed;
    expect(messageIds(deliveries)).toEqual(['msg_2', 'msg_1']);
    const [found] = deliveries[1]?.attempts ?? [];
    expect(found).toMatchObject(shown);
    expect(Math.abs(Date.parse(found?.recordedAt ?? '') - Date.now())).toBeLessThan(60_000);
    expect(next).toBeNull();
  });

  it('is one, newest first, over all partitions, however it is cut into pages', async () => {
    const now = Date.now();
    // Some at the same instant: their order is that of the partitions.
    const written = Array.from({ length: 60 }, (_, n) => ({ ms: now - 10_000 + (n >> 2), n }));
    for (const { ms, n } of written) await appendAt(ms, n % 3, `msg_${n}`);
    const whole = (await readAll()).deliveries;
    const places = whole.map(({ newest }) => newest.place);
    expect(places).toEqual([...places].sort().reverse());
    expect(new Set(messageIds(whole)).size).toBe(60);
    for (const limit of [1, 7, 20]) {
      const paged: LoggedDelivery[] = [];
      for (let after: string | null | undefined; after !== null;) {
        const page = await readAll({ limit, after });
        paged.push(...page.deliveries);
        after = page.next;
      }
      expect(messageIds(paged)).toEqual(messageIds(whole));
    }
  });

  it('is of deliveries as they were when its first page was read', async () => {
    const now = Date.now();
    for (const n of [1, 2, 3]) await appendAt(now - 9_000 + n, n % 3, `msg_${n}`);
    const first = await readAll({ limit: 1 });
    // One that is on no page yet, and one that is on the first.
    await append(0, attempt('msg_1', { attempt: 1 }), attempt('msg_3', { attempt: 1 }));
    const rest = await readAll({ after: first.next ?? undefined });
    expect(messageIds([...first.deliveries, ...rest.deliveries])).toEqual([
      'msg_3',
      'msg_2',
      'msg_1',
    ]);
    expect(rest.next).toBeNull();
    expect(messageIds((await readAll()).deliveries)).toEqual(['msg_3', 'msg_1', 'msg_2']);
  });

  it('has more attempts of a partition than one call gives', async () => {
    const many = Array.from({ length: ATTEMPTS_AT_ONCE + 1 }, (_, n) => attempt(`msg_${n}`));
    await append(2, ...many);
    const { deliveries } = await readAll({ limit: many.length });
    expect(messageIds(deliveries)).toEqual(many.map(({ messageId }) => messageId).reverse());
  });

  it('is filtered by message, type, state and time', async () => {
    const now = Date.now();
    await appendAt(now - 5_000, 0, 'msg_old');
    await append(0, attempt('msg_1', { type: 'payment.failed' }));
    await append(1, attempt('msg_2', { outcome: 'exhausted', status: 500 }));
    const found = async (filter: object) => messageIds((await readAll(filter)).deliveries);
    expect(await found({ messageId: 'msg_1' })).toEqual(['msg_1']);
    expect(await found({ type: 'payment.failed' })).toEqual(['msg_1']);
    expect(await found({ state: 'exhausted' })).toEqual(['msg_2']);
    expect(await found({ untilMs: now - 5_000 })).toEqual(['msg_old']);
    expect(await found({ sinceMs: now - 5_000, untilMs: now - 5_000 })).toEqual(['msg_old']);
    expect(await found({ sinceMs: now - 4_999 })).toEqual(['msg_2', 'msg_1']);
  });

  it('has each message once, with all of its attempts, and what the newest came to', async () => {
    await append(2, attempt('msg_1', { outcome: 'failed', status: 500 }), attempt('msg_2'));
    await append(2, attempt('msg_1', { outcome: 'exhausted', status: 501, attempt: 1 }));
    const find = async () => (await readAll({ messageId: 'msg_1' })).deliveries;
    expect(await find()).toMatchObject([{ state: 'exhausted' }]);
    // A message that is sent again is logged by another partition, that of its endpoint: which of the two
    // is newer is known by the millisecond.
    const loggedAt = Date.now();
    await eventually(() => Date.now() > loggedAt + 1);
    await append(1, attempt('msg_1'));
    const [found] = await find();
    const { streamName, revision, type } = attempt('msg_1');
    expect(found).toMatchObject({ messageId: 'msg_1', streamName, revision, type });
    expect(found?.state).toBe('delivered');
    expect(found?.attempts.map(({ status }) => status)).toEqual([500, 501, 200]);
    expect(messageIds((await readAll({ state: 'exhausted' })).deliveries)).toEqual([]);
    const ofAnother = log().readDeliveries('whe_other', { limit: 1, nowMs: Date.now() });
    expect((await ofAnother).deliveries).toEqual([]);
  });

  it('keeps 10,000 attempts of an endpoint over all partitions, to within a node of the stream', async () => {
    const many = Array.from({ length: 1_000 }, (_, n) => attempt(`msg_${n}`));
    for (let n = 0; n < 5; n += 1) await appendAttempts(redis, place(0, 4), many);
    const kept = await redis.xlen(logKey(0));
    expect(kept).toBeGreaterThanOrEqual(2_500);
    expect(kept).toBeLessThan(2_600);
  });

  it('shows nothing of more than seven days ago, drops it, and ends where nothing is added', async () => {
    const key = logKey(0);
    const old = Date.now() - WEEK_MS - 1_000;
    // A node of the stream is dropped as a whole.
    for (let n = 0; n < 200; n += 1) await appendAt(old + n, 0, `msg_old_${n}`);
    expect((await readAll({ nowMs: old })).deliveries).not.toEqual([]);
    expect((await readAll()).deliveries).toEqual([]);
    await append(0, attempt('msg_new'));
    expect(await redis.xlen(key)).toBeLessThan(100);
    expect(messageIds((await readAll()).deliveries)).toEqual(['msg_new']);
    const ttl = await redis.ttl(key);
    expect(ttl).toBeGreaterThan(KEPT_SECONDS - 60);
    expect(ttl).toBeLessThanOrEqual(KEPT_SECONDS);
  });

  it('takes less than 300 bytes of Redis for an attempt without an answer, and 2.8 kB at most', async () => {
    const bytesEach = async (sample: AttemptToLog) => {
      const many = Array.from({ length: 1_000 }, () => ({ ...sample, messageId: longId() }));
      await append(0, ...many);
      const key = logKey(0, sample.endpointId);
      return Number(await redis.memory('USAGE', key, 'SAMPLES', 0)) / many.length;
    };
    expect(await bytesEach(attempt('', { endpointId: 'whe_a' }))).toBeLessThan(300);
    const error = { code: 'UND_ERR_HEADERS_TIMEOUT', text: 'x'.repeat(5_000) };
    const largest = { error, answer: 'x'.repeat(1_500), outcome: 'failed' as const };
    const url = `https://studio.example/${'x'.repeat(1_900)}`;
    expect(await bytesEach(attempt('', { ...largest, url, endpointId: 'whe_b' }))).toBeLessThan(
      2_867,
    );
  });

  it('says that Redis is out of reach', async () => {
    const lost = openRedis(server.url, { maxRetriesPerRequest: 0 });
    await lost.ping();
    lost.disconnect();
    const failed = appendAttempts(lost, place(0), [attempt('msg_1')]);
    await expect(failed).rejects.toMatchObject({ code: 'unavailable', retryable: true });
  });
});

const longId = () => `msg_${randomUUID()}`;
