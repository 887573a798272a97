import { beforeEach, describe, expect, it } from 'vitest';
import type { RecordedEvent } from '#domain/event';
import { type ProcessOutput, routesFor, runRoute } from '#domain/processes';
import { paymentAggregate, type PaymentCommand } from '#domain/payment';
import { subscriptionAggregate } from '#domain/subscription';
import { type CommandExecutor, createCommandExecutor, type EventStore } from '#event-store';
import {
  captured,
  T0,
  terms,
} from '../../../../libs/domain/src/processes/spec-support/purchase.js';
import { MemoryEventStore } from '../../../../test/support/memory-event-store.js';
import type { PoisonGate } from '../feed/event-consumer.js';
import { createStepExecutor } from './spec-support/step-executor.js';

const context = {
  ...{ appId: 'app_1', environment: 'test' as const, actor: 'app' },
  ...{
    correlationId: 'request-1',
    player: '5f2a9c04d1e84b7796ab30c2d4e5f601',
    now: T0,
  },
} as const;
const gate: PoisonGate = {
  isHeld: () => false,
  poison: async (_event, error) => {
    throw error;
  },
};
let store: MemoryEventStore;
let commands: CommandExecutor;

beforeEach(async () => {
  store = new MemoryEventStore();
  commands = createCommandExecutor(store as unknown as EventStore);
  const create = { kind: 'CreateSubscription', terms, initialPayment: null, now: T0 } as const;
  await commands.execute(subscriptionAggregate, 'sub_1', create, context);
});

/** A refund of a payment of the subscription, as the event with this number of the payment's stream. */
function refunded(revision: number): RecordedEvent {
  return {
    id: `refunded-${revision}`,
    type: 'payment.refunded.v1',
    data: { refundId: `ref_${revision}`, amount: captured.amount, refundedAt: T0 },
    streamName: 'payment-pay_2',
    revision,
    position: '0'.repeat(20),
    metadata: { ...context, $correlationId: 'request-1', occurredAt: T0 },
  };
}

/** A change of the subscription that gives back 4.00 of this payment, as the event with this number of its stream. */
function changed(revision: number): RecordedEvent {
  const unusedCredit = { refunded: { ...captured.amount, amountMinor: '400' } };
  return {
    ...refunded(revision),
    ...{ id: `changed-${revision}`, type: 'subscription.plan_changed.v1' },
    data: { linkId: '', refundedPaymentId: 'pay_2', unusedCredit, changedAt: T0 },
    streamName: 'subscription-sub_1',
  };
}

/** Each call is another worker, or the same one after a start: nothing is remembered in between. */
async function perform(...events: readonly RecordedEvent[]): Promise<void> {
  const commands = createCommandExecutor(store as unknown as EventStore);
  const executor = createStepExecutor(commands, T0);
  const planned = events.map((event) => ({ event, plan: routeAll(event) }));
  await executor.execute(planned, gate);
}

function routeAll(event: RecordedEvent): ProcessOutput[] {
  return routesFor(event.type).flatMap(
    (route) => runRoute(route, event, { ...captured, freedClaimIds: [] }, {}) ?? [],
  );
}

describe('a refund of a payment that belongs to a subscription', () => {
  const recorded = () =>
    store
      .events('subscription-sub_1')
      .slice(1)
      .map(({ type, data }) => [type, (data as { paymentRevision: unknown }).paymentRevision]);

  it('is recorded by the subscription once, however often its event is given', async () => {
    await perform(refunded(3), refunded(4));
    await perform(refunded(3), refunded(4));
    await Promise.all([perform(refunded(4)), perform(refunded(5)), perform(refunded(5))]);
    expect(recorded()).toEqual(
      [3, 4, 5].map((revision) => ['subscription.refund_recorded.v1', revision]),
    );
  });
});

describe('unused time of a changed plan', () => {
  const { paymentId, appId, player, checkoutLinkId, purpose } = captured;
  const { amount, lines, regionCode, paymentMethod, personal } = captured;
  const about = { paymentId, appId, player, checkoutLinkId, regionCode, purpose };
  const charge = { ...about, amount, lines, paymentMethod, personal };
  const act = async (command: PaymentCommand) =>
    commands.execute(paymentAggregate, paymentId, command, context);
  const since = () =>
    store
      .events(`payment-${paymentId}`)
      .slice(2)
      .map(({ type, data }) => [type, (data as { refundId?: string }).refundId]);

  beforeEach(async () => {
    await act({ kind: 'RequestPayment', charge, now: T0 });
    await act({ kind: 'CapturePayment', method: captured.method, now: T0 });
  });

  it('is refunded once, however often its event is given', async () => {
    await perform(changed(3));
    await Promise.all([perform(changed(3)), perform(changed(3), changed(5))]);
    expect(since()).toEqual([
      ['payment.refund_requested.v1', `${paymentId}.unused.3`],
      ['payment.refund_requested.v1', `${paymentId}.unused.5`],
    ]);
  });

  it('has failed once where a dispute came between, and is not tried again', async () => {
    await act({ kind: 'OpenDispute', disputeId: 'dsp_1', amount, now: T0 });
    await perform(changed(3));
    await act({ kind: 'CloseDispute', disputeId: 'dsp_1', amount, won: true, now: T0 });
    await perform(changed(3));
    expect(since()).toEqual([
      ['payment.dispute_opened.v1', undefined],
      ['payment.refund_failed.v1', `${paymentId}.unused.3`],
      ['payment.dispute_closed.v1', undefined],
    ]);
  });
});
