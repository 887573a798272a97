import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Fault, metrics } from '#platform';
import type { Redis } from '#redis';
import { ATTEMPTS_GATHERED, LOG_STOP_LIMIT_MS, WRITTEN_AT_ONCE } from '../../limits.js';
import { at, createLease, silent } from '../../spec-support/fakes.js';
import { DeliveryLogWriter } from './delivery-log-writer.js';

const QUEUE = { endpointId: 'whe_1', appId: 'app_1' };
const unavailable = () =>
  Promise.reject(new Fault('unavailable', 'Redis is away', { retryable: true }));

/** A writer, and its calls of Redis: the texts of attempts of each round trip. */
function create() {
  const trips: string[][] = [];
  const around = { write: async () => undefined as unknown, sealed: [] as string[] };
  const evalsha = (_: string, keyCount: number, ...rest: (string | number)[]) => {
    const attempts = rest.slice(keyCount + 3).filter((_each, n) => n % 2 === 1);
    trips.push(attempts.map(String));
    return around.write();
  };
  const personalData = {
    sealAnswer: async (_owner: unknown, message: { position: string }, answer: string) => {
      if (answer === 'of one who was erased') return undefined;
      if (answer === 'while the store is away') return unavailable();
      around.sealed.push(answer);
      return `sealed ${message.position} ${answer}`;
    },
  };
  const writer = new DeliveryLogWriter(
    { evalsha } as unknown as Redis,
    personalData,
    { layoutId: 'ledger' },
    createLease(),
    { count: 1 },
    silent,
  );
  const note = (n: number, body = '', player = 'aa') => {
    const of = { target: 'whe_1', streamName: 'sub_1', revision: n, messageId: `msg_${n}` };
    const delivery = { member: `m${n}`, position: at(n), ...of };
    const message = { type: 'payment.failed', sequence: 1, player };
    const answer = { status: 200, durationMs: 1, body };
    const times = { startedAt: '2027-01-31T10:00:00.000Z', durationMs: 1 };
    const attempt = { message, ...times, url: 'https://studio.example/', answer };
    writer.note(QUEUE, { delivery, attempts: 0 }, 'delivered', { ...attempt, error: null });
  };
  return { writer, trips, around, note };
}

async function unlogged(reason: string): Promise<number> {
  const name = 'subledger_webhook_attempts_unlogged_total';
  const found = await metrics.getSingleMetric(name)?.get();
  return found?.values.find(({ labels }) => labels['reason'] === reason)?.value ?? 0;
}

describe('the writer of the delivery log', () => {
  beforeEach(() => {
    metrics.resetMetrics();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('asks Redis for nothing where nothing was attempted, and writes many in one round trip', async () => {
    const { writer, trips, note } = create();
    await writer.writeAll();
    expect(trips).toEqual([]);
    for (let n = 0; n <= WRITTEN_AT_ONCE; n += 1) note(n);
    expect(trips).toEqual([]);
    await writer.writeAll();
    expect(trips.map(({ length }) => length)).toEqual([WRITTEN_AT_ONCE, 1]);
    expect(trips[1]?.[0]).toContain(`msg_${WRITTEN_AT_ONCE}`);
  });

  it('seals an answer that has any text and is about a player, and keeps none that does not seal', async () => {
    const { writer, trips, around, note } = create();
    for (const [n, body] of [
      '',
      'ok',
      'of one who was erased',
      'while the store is away',
    ].entries())
      note(n, body);
    note(4, 'to a test', '');
    await writer.writeAll();
    const written = trips[0]?.map((text) => JSON.parse(text) as unknown[]);
    const answers = written?.map((each) => each.at(-2));
    expect(written?.map((each) => each.at(-1))).toEqual(Array(5).fill('https://studio.example/'));
    expect(answers).toEqual([null, `sealed ${at(1)} ok`, null, null, 'to a test']);
    expect(around.sealed).toEqual(['ok']);
  });

  it('keeps a bounded number of attempts, and counts those that are too many', async () => {
    const { writer, trips, note } = create();
    for (let n = 0; n < ATTEMPTS_GATHERED + 3; n += 1) note(n);
    expect(await unlogged('too_many')).toBe(3);
    await writer.writeAll();
    expect(trips.flat()).toHaveLength(ATTEMPTS_GATHERED);
  });

  it('counts what Redis did not take, and goes on', async () => {
    const { writer, trips, around, note } = create();
    around.write = unavailable;
    note(1);
    await writer.writeAll();
    expect(await unlogged('not_written')).toBe(1);
    around.write = async () => undefined;
    note(2);
    await writer.writeAll();
    expect(trips.at(-1)?.[0]).toContain('msg_2');
    expect(await unlogged('not_written')).toBe(1);
  });

  it('writes the rest at a stop, within a limit', async () => {
    vi.useFakeTimers();
    const { writer, trips, around, note } = create();
    note(1);
    await writer.writeRest();
    expect(trips.flat()).toHaveLength(1);
    around.write = () => new Promise(() => undefined);
    for (let n = 0; n < 2 * WRITTEN_AT_ONCE; n += 1) note(n);
    const stopped = writer.writeRest();
    await vi.advanceTimersByTimeAsync(LOG_STOP_LIMIT_MS);
    await stopped;
    expect(await unlogged('not_written')).toBe(WRITTEN_AT_ONCE);
  });
});
