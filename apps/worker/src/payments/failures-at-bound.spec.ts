import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { addMilliseconds } from '#domain/calendar';
import { Partitions } from '#event-store';
import { Fault } from '#platform';
import { MemoryEventStore } from '../../../../test/support/memory-event-store.js';
import { GATEWAY_ATTEMPTS } from '../limits.js';
import { createLease, silent } from '../spec-support/fakes.js';
import type { PaymentHandler } from './payment-handler.js';
import type { PaymentJob } from './payment-jobs.js';
import { PaymentRunner } from './payment-runner.js';
import { chargeScene, DOWN, pending } from './spec-support/charge-scene.js';

/** Which failures count for a charge at its bound: those of its gateway (rules/payments 17). */
const WALL_NOW = '2027-02-02T10:00:00.000Z';
const LOST = new Fault('unavailable', 'the answer of the store was lost', { retryable: true });
const bound = { clock: 'wall', at: addMilliseconds(WALL_NOW, -1) } as const;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse(WALL_NOW), toFake: ['Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('a failure of the store counts not: what was never asked for is asked for once', async () => {
  const store = new MemoryEventStore();
  const scene = chargeScene(store);
  const append = store.append.bind(store);
  store.append = async (...args) => {
    await append(...args);
    throw LOST;
  };
  await expect(scene.run(0, { bound })).rejects.toBe(LOST);
  store.append = append;
  expect(scene.asked).toEqual([]);
  expect(await scene.run(1, { bound })).toMatchObject({ status: 'SUCCEEDED' });
  expect(scene.asked).toEqual(['find', 'charge']);
});

it('a failure of the store is none of the two of a gateway that is not waited for', async () => {
  const store = new MemoryEventStore();
  const before = chargeScene(store);
  before.charge = pending;
  await before.run(0, { bound });
  const scene = chargeScene(store);
  scene.find = DOWN;
  const readStream = store.readStream.bind(store);
  store.readStream = () => {
    throw LOST;
  };
  await expect(scene.run(0, { bound })).rejects.toBe(LOST);
  store.readStream = readStream;
  expect(await scene.run(1, { bound })).toMatchObject({ status: 'PENDING' });
  expect(scene.asked).toEqual(['find']);
});

it('a job is the same object at each attempt, by which it is known that its gateway was asked', async () => {
  const attempts: PaymentJob['data'][] = [];
  const ended = new Promise<void>((resolve) => {
    const handler: Partial<PaymentHandler> = {
      process: async ({ data }) => {
        attempts.push(data);
        throw DOWN;
      },
      onExhausted: async () => resolve(),
    };
    const inFlight = { countDue: async () => 0 };
    const around = [inFlight, new Partitions(1), createLease()] as const;
    const runner = new PaymentRunner(handler as PaymentHandler, ...around, silent);
    const data = { kind: 'refund', paymentId: '', refundId: 'ref_1', inFlight: 'm' } as const;
    runner.add([{ id: 'job', data: { ...data, causation: {} as never }, attemptsMade: 0 }]);
    runner.start();
  });
  await ended;
  expect(attempts).toHaveLength(GATEWAY_ATTEMPTS);
  expect(new Set(attempts).size).toBe(1);
});
