import { beforeEach, expect, it } from 'vitest';
import type { RecordedEvent } from '#domain/event';
import { paymentAggregate, type PaymentCommand } from '#domain/payment';
import type { ProcessOutput } from '#domain/processes';
import { type CommandExecutor, createCommandExecutor, type EventStore } from '#event-store';
import { periodCharge } from '../../../../libs/domain/src/payment/spec-support/period-charge.js';
import { MemoryEventStore } from '../../../../test/support/memory-event-store.js';
import { createEvent } from '../spec-support/fakes.js';
import { createStepExecutor } from './spec-support/step-executor.js';
import type { StepExecutor } from './step-executor.js';

/** A first payment that is disputed before it is known whether it buys a subscription (rules/webhooks 1). */
const NOW = '2027-02-03T08:00:00.000Z';
const amount = { amountMinor: '1000', currency: 'USD' };
const player = '5f2a9c04d1e84b7796ab30c2d4e5f601';
const context = {
  appId: 'app_1',
  environment: 'test' as const,
  actor: 'app',
  correlationId: 'c',
  now: NOW,
};
const disputed: RecordedEvent = createEvent('pay_1', 3);
const record: ProcessOutput = {
  process: 'record_dispute_on_dispute',
  steps: [
    {
      kind: 'subscription',
      id: 'sub_1',
      command: {
        ...{ kind: 'RecordDispute', paymentId: 'pay_1', paymentRevision: 2, closed: false },
        ...{ endsSubscription: false, now: NOW },
      },
    },
  ],
};
let commands: CommandExecutor;
let executor: StepExecutor;

beforeEach(async () => {
  // As much of the store as commands need.
  commands = createCommandExecutor(new MemoryEventStore() as Partial<EventStore> as EventStore);
  executor = createStepExecutor(commands, NOW);
  const purpose = periodCharge({ subscriptionId: 'sub_1', amount, start: NOW, number: 1 });
  const who = { paymentId: 'pay_1', appId: 'app_1', player, checkoutLinkId: 'link_1' };
  const charge = { ...who, ...purpose, paymentMethod: 'pm_ok', personal: {} };
  await act({ kind: 'RequestPayment', charge, now: NOW });
  const method = { paymentMethodSubType: '', issuerBank: '' };
  await act({ kind: 'CapturePayment', method, now: NOW });
});

async function act(command: PaymentCommand): Promise<void> {
  await commands.execute(paymentAggregate, 'pay_1', command, context);
}

/** @returns the entries that parked the payment's stream. */
async function perform(): Promise<readonly string[]> {
  const parked: string[] = [];
  await executor.execute([{ event: disputed, plan: [record] }], {
    isHeld: () => false,
    poison: async (_event, error) => {
      parked.push((error as Error).message);
      return Promise.resolve();
    },
  });
  return parked;
}

it('waits for the subscription while it may come', async () => {
  expect(await perform()).toEqual([
    'record_dispute_on_dispute was refused: subscription/not_found',
  ]);
});

it('holds nothing up once it is known that it buys nothing', async () => {
  await act({ kind: 'LeavePaymentUnapplied', now: NOW });
  expect(await perform()).toEqual([]);
});
