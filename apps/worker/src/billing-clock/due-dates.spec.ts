import { describe, expect, it } from 'vitest';
import { DEFAULT_DUNNING } from '#domain/dunning';
import { orderAggregate, type OrderEvent } from '#domain/order';
import type { PendingCharge } from '#projections';
import { createCommandExecutor, type EventStore, RevisionConflict } from '#event-store';
import { MemoryEventStore } from '../../../../test/support/memory-event-store.js';
import {
  attempt,
  created as createdOrder,
  EXPIRES,
  LATER,
  T1,
} from '../../../../libs/domain/src/order/spec-support/orders.js';
import {
  created,
  FIRST_DUE,
  hoursAfter,
} from '../../../../libs/domain/src/subscription/spec-support/subscriptions.js';
import { DueDates } from './due-dates.js';

const app = {
  ...{ appId: 'app_1', environment: 'test' as const },
  dunning: { ...DEFAULT_DUNNING, graceHours: 72 },
};
const metadata = {
  ...{ $correlationId: 'request-1', actor: 'app', appId: 'app_1' },
  ...{ environment: 'test' as const, occurredAt: created.data.createdAt },
};

it('a due date happens once, though others keep changing its subscription', async () => {
  const store = new MemoryEventStore();
  store.appendNow('subscription-sub_1', 'no_stream', [{ id: 'event-1', ...created, metadata }]);
  // More conflicts than one execution of a command gives up at.
  let conflicts = 7;
  store.onAppend = (streamName) => {
    if (conflicts-- > 0) throw new RevisionConflict(streamName, 0, false);
  };
  const commands = createCommandExecutor(store as unknown as EventStore);
  const asked: PendingCharge[] = [];
  const chargesAtBound = { askNow: async (charge: PendingCharge) => void asked.push(charge) };
  const dueDates = new DueDates(commands, chargesAtBound);
  const due = { appId: 'app_1', subjectId: 'sub_1', dueAt: FIRST_DUE, revision: 0 };
  const at = { app, now: FIRST_DUE, by: 'test_clock' } as const;
  const { paymentId } = await dueDates.process(due, at);
  expect(paymentId).toMatch(/^pay_/);
  expect(store.events('subscription-sub_1')).toHaveLength(2);
  // At the end of its grace, not before, the gateway is asked for the last time.
  const before = await dueDates.process(due, { ...at, now: hoursAfter(FIRST_DUE, 71) });
  expect([before.isAtBound, asked]).toEqual([false, []]);
  const bound = await dueDates.process(due, { ...at, now: hoursAfter(FIRST_DUE, 72) });
  expect(bound).toMatchObject({ paymentId, isAtBound: true });
  expect(asked).toEqual([{ subjectId: 'sub_1', paymentId }]);
});

/** rules/orders 5 */
describe('the due date of an order', () => {
  const process = async (now: string, ...events: OrderEvent[]) => {
    const store = new MemoryEventStore();
    const stored = events.map((event, at) => ({ id: `event-${at}`, ...event, metadata }));
    store.appendNow('order-ord_1', 'no_stream', stored);
    const asked: PendingCharge[] = [];
    const dueDates = new DueDates(createCommandExecutor(store as unknown as EventStore), {
      askNow: async (charge) => void asked.push(charge),
    });
    const due = { appId: 'app_1', subjectId: 'ord_1', dueAt: EXPIRES, revision: 1 };
    const processed = await dueDates.process(due, { app, now, by: 'scheduler' });
    const types = store.events('order-ord_1').map(({ type }) => type);
    return { processed, asked, types: types.slice(events.length) };
  };
  const attempted = (): readonly OrderEvent[] => {
    const decision = orderAggregate.decider.decide(attempt(T1), {
      ...orderAggregate.decider.evolve(orderAggregate.decider.initialState, createdOrder()),
    });
    if (!decision.accepted) throw new Error('an open order is attempted');
    return decision.events;
  };

  it('ends it where it was not paid, and not before', async () => {
    const early = await process(T1, createdOrder());
    expect([early.types, early.processed.paymentId]).toEqual([[], null]);
    const ended = await process(EXPIRES, createdOrder());
    expect([ended.types, ended.asked]).toEqual([['order.expired.v1'], []]);
    expect(ended.processed).toMatchObject({ paymentId: null, isAtBound: false });
  });

  it('has its charge decided at the end of the attempt, which the order waits for', async () => {
    const waiting = await process(EXPIRES, createdOrder(), ...attempted());
    expect([waiting.types, waiting.asked, waiting.processed.paymentId]).toEqual([[], [], null]);
    const bound = await process(LATER, createdOrder(), ...attempted());
    const { paymentId } = bound.processed;
    expect(bound.processed.isAtBound).toBe(true);
    expect([bound.types, bound.asked]).toEqual([[], [{ subjectId: 'ord_1', paymentId }]]);
  });
});
