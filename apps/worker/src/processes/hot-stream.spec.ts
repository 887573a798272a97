import { beforeEach, describe, expect, it } from 'vitest';
import type { ProcessOutput } from '#domain/processes';
import { subscriptionAggregate } from '#domain/subscription';
import { createCommandExecutor, type EventStore, type EventToAppend } from '#event-store';
import { T0, terms } from '../../../../libs/domain/src/processes/spec-support/purchase.js';
import { MemoryEventStore } from '../../../../test/support/memory-event-store.js';
import type { Planned } from '../feed/event-consumer.js';
import { createGate } from '../feed/spec-support/gate.js';
import { createEvent } from '../spec-support/fakes.js';
import { createStepExecutor } from './spec-support/step-executor.js';
import type { StepExecutor } from './step-executor.js';

const HOT = 'subscription-sub_hot';
const OTHERS = Array.from({ length: 50 }, (_, index) => `sub_${index}`);
/** More than two executions of a command give up at. */
const CONFLICTS = 11;
const metadata = {
  ...{ $correlationId: 'other', actor: 'app', appId: 'app_1' },
  ...{ environment: 'test' as const, occurredAt: T0 },
};
const context = {
  ...{ appId: 'app_1', environment: 'test' as const, actor: 'app' },
  ...{ correlationId: 'request-1', now: T0 },
};

let store: MemoryEventStore;
let executor: StepExecutor;

beforeEach(async () => {
  store = new MemoryEventStore();
  const commands = createCommandExecutor(store as unknown as EventStore);
  const create = { kind: 'CreateSubscription', terms, initialPayment: null, now: T0 } as const;
  for (const id of ['sub_hot', ...OTHERS]) {
    await commands.execute(subscriptionAggregate, id, create, context);
  }
  store.calls.length = 0;
  executor = createStepExecutor(commands, T0);
});

const recorded = (): EventToAppend => ({
  id: crypto.randomUUID(),
  type: 'subscription.refund_recorded.v1',
  data: { paymentId: 'pay_other', paymentRevision: 1, recordedAt: T0 },
  metadata,
});

function planned(id: string, position: number): Planned<readonly ProcessOutput[]> {
  const refund = { paymentId: 'pay_1', paymentRevision: 1, now: T0 };
  const command = { kind: 'RecordRefund', ...refund } as const;
  const steps = [{ kind: 'subscription' as const, id, command }];
  const event = createEvent('', position, { streamName: `payment-pay_${id}` });
  return { event, plan: [{ process: 'record_refund', steps }] };
}

const batch = () => ['sub_hot', ...OTHERS].map((id, index) => planned(id, index + 1));
const ownEvents = (streamName: string) =>
  store
    .events(streamName)
    .filter(({ data }) => (data as { paymentId?: string }).paymentId === 'pay_1');
const areOthersDone = () => OTHERS.every((id) => ownEvents(`subscription-${id}`).length === 1);

function expectOthersDoneOnce(): void {
  const appends = store.calls.filter((call) => call.startsWith('append ') && !call.includes(HOT));
  expect(appends.sort()).toEqual(OTHERS.map((id) => `append subscription-${id} at 0`).sort());
  expect(areOthersDone()).toBe(true);
}

describe('a stream that another writer changes all the time', () => {
  it('delays its own command alone, which is done once', async () => {
    let conflicts = 0;
    store.onAppend = (streamName) => {
      // It is hammered until everything else is done: a command that waits for it would wait for ever.
      if (streamName !== HOT || (conflicts >= CONFLICTS && areOthersDone())) return;
      conflicts += 1;
      store.appendNow(HOT, 'any', [recorded()]);
    };
    const { gate, parked } = createGate();
    await executor.execute(batch(), gate);
    expect(conflicts).toBeGreaterThanOrEqual(CONFLICTS);
    expect(ownEvents(HOT)).toHaveLength(1);
    expect(parked.size).toBe(0);
    expectOthersDoneOnce();
  });

  it('parks the stream of the event in the end, and nothing comes again', async () => {
    store.onAppend = (streamName) => {
      if (streamName === HOT) store.appendNow(HOT, 'any', [recorded()]);
    };
    const { gate, parked } = createGate();
    await executor.execute(batch(), gate);
    expect([...parked.keys()]).toEqual(['payment-pay_sub_hot']);
    expect(ownEvents(HOT)).toEqual([]);
    expectOthersDoneOnce();
  });
});
