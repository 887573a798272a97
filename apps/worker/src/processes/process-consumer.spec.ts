import { describe, expect, it } from '@jest/globals';
import type { ProcessOutput, ProcessStep } from '#domain/processes';
import type { Planned } from '../feed/event-consumer.js';
import { EventConsumers } from '../feed/event-consumer.js';
import { type InFlight, inFlightMember, PROCESS } from '#checkpoint-backup';
import type { InFlightSet } from '../feed/in-flight-set.js';
import { createEvent, createGate } from '../spec-support/fakes.js';
import { ProcessConsumer } from './process-consumer.js';
import type { ProcessRouter } from './process-router.js';
import type { StepExecutor } from './step-executor.js';

const ask: ProcessStep = {
  kind: 'payment',
  id: 'pay_1',
  command: { kind: 'ReturnPayment', now: '2027-01-31T10:00:00.000Z' },
};
const refund: ProcessStep = { kind: 'refund', paymentId: 'pay_1', refundId: 'ref_1' };
const planned = (position: number, step: ProcessStep): Planned<readonly ProcessOutput[]> => ({
  event: createEvent(`payment-pay_${position}`, position),
  plan: [{ process: 'do_on_event', steps: [step] }],
});

function create() {
  const done: string[] = [];
  const executor = { execute: async () => void done.push('executed') };
  const consumer = new ProcessConsumer(
    new EventConsumers(),
    {} as ProcessRouter,
    executor as unknown as StepExecutor,
    {
      endLost: async (members) => void done.push(...members),
    } as Partial<InFlightSet> as InFlightSet,
  );
  return { consumer, done };
}

describe('work in flight that is begun again', () => {
  const items = [planned(1, ask), planned(2, refund)];

  it('ends where the gateway is asked no more, once what follows is done', async () => {
    const { consumer, done } = create();
    await consumer.perform(items, createGate().gate, [{ target: PROCESS } as InFlight]);
    expect(done).toEqual(['executed', inFlightMember(items[0]!.event, PROCESS)]);
  });

  it('is not looked for behind events that come for the first time', async () => {
    const { consumer, done } = create();
    await consumer.perform(items, createGate().gate);
    expect(done).toEqual(['executed']);
  });
});
