import { expect, it } from '@jest/globals';
import { DEFAULT_DUNNING } from '#domain/dunning';
import type { PendingRenewal } from '#projections';
import { createCommandExecutor, type EventStore, RevisionConflict } from '#event-store';
import { MemoryEventStore } from '../../../../test/support/memory-event-store.js';
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
  const asked: PendingRenewal[] = [];
  const chargesAtBound = { askNow: async (renewal: PendingRenewal) => void asked.push(renewal) };
  const dueDates = new DueDates(commands, chargesAtBound);
  const due = { appId: 'app_1', subscriptionId: 'sub_1', dueAt: FIRST_DUE };
  const at = { app, now: FIRST_DUE, by: 'test_clock' } as const;
  const { paymentId } = await dueDates.process(due, at);
  expect(paymentId).toMatch(/^pay_/);
  expect(store.events('subscription-sub_1')).toHaveLength(2);
  // At the end of its grace, not before, the gateway is asked for the last time.
  const before = await dueDates.process(due, { ...at, now: hoursAfter(FIRST_DUE, 71) });
  expect([before.isAtBound, asked]).toEqual([false, []]);
  const bound = await dueDates.process(due, { ...at, now: hoursAfter(FIRST_DUE, 72) });
  expect(bound).toMatchObject({ paymentId, isAtBound: true });
  expect(asked).toEqual([{ subscriptionId: 'sub_1', paymentId }]);
});
