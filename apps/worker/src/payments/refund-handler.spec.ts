import { describe, expect, it } from 'vitest';
import { paymentAggregate, type PaymentCommand } from '#domain/payment';
import { createCommandExecutor, type EventStore } from '#event-store';
import type { GatewayRefund, PaymentGateway, GatewayRefundOutcome } from '#gateway';
import { Fault } from '#platform';
import { periodCharge } from '../../../../libs/domain/src/payment/spec-support/period-charge.js';
import { MemoryEventStore } from '../../../../test/support/memory-event-store.js';
import type { InFlightSet } from '../redis/in-flight-set.js';
import { createPaymentHandler } from './spec-support/payment-handler.js';

/** Refunds at the gateway (rules/payments 13). */
const NOW = '2027-01-31T10:00:00.000Z';
const usd = (amountMinor: string) => ({ amountMinor, currency: 'USD' });
const causation = {
  ...{ eventId: 'e', correlationId: 'c', appId: 'app_1', environment: 'test' as const },
  ...{ occurredAt: NOW, process: 'refund_on_refund_request' },
};
const method = { paymentMethodSubType: '', issuerBank: '' };
const charge = {
  ...periodCharge({ subscriptionId: 'sub_1', amount: usd('999'), start: NOW, number: 1 }),
  ...{ paymentId: 'pay_1', appId: 'app_1', player: '5f2a9c04d1e84b7796ab30c2d4e5f601' },
  ...{ checkoutLinkId: '', paymentMethod: 'pm_ok', personal: {} },
};

const refunded: GatewayRefundOutcome = { status: 'refunded' };

/** A paid payment, and a gateway that does as the test says. */
async function scene(refund: () => Promise<GatewayRefundOutcome>, ...more: PaymentCommand[]) {
  const commands = createCommandExecutor(
    new MemoryEventStore() as Partial<EventStore> as EventStore,
  );
  const context = { ...causation, actor: 'test', now: NOW };
  const before: PaymentCommand[] = [
    { kind: 'RequestPayment', charge, now: NOW },
    { kind: 'CapturePayment', method, now: NOW },
  ];
  for (const command of [...before, ...more]) {
    await commands.execute(paymentAggregate, 'pay_1', command, context);
  }
  const asked: GatewayRefund[] = [];
  const gateway: Partial<PaymentGateway> = {
    keyLifetimeMs: Infinity,
    refund: async (one) => {
      asked.push(one);
      const { state } = await commands.load(paymentAggregate, 'pay_1');
      // It is asked for by an event before the gateway is.
      expect(state).toMatchObject({ openRefunds: [{ refundId: one.key, amount: one.amount }] });
      return refund();
    },
  };
  const ended: string[] = [];
  const inFlight: Partial<InFlightSet> = {
    end: async (member) => void ended.push(member),
    askAgain: async (member) => void ended.push(`later ${member}`),
  };
  const handler = createPaymentHandler({ commands, gateway, inFlight, now: () => NOW });
  const run = async (attemptsMade = 0, refundId = 'ref_1') => {
    const data = { kind: 'refund', paymentId: 'pay_1', refundId, causation } as const;
    await handler.process({ id: refundId, data: { ...data, inFlight: 'member' }, attemptsMade });
    const { state } = await commands.load(paymentAggregate, 'pay_1');
    return state;
  };
  return { run, asked, ended };
}

const ask: PaymentCommand = {
  ...{ kind: 'RequestRefund', refundId: 'ref_1', amountMinor: '400', now: NOW },
} as const;

describe('a refund', () => {
  it('is of the amount that was asked for, under its own key', async () => {
    const { run, asked, ended } = await scene(async () => refunded, ask);
    expect(await run()).toMatchObject({ status: 'PARTIALLY_REFUNDED', openRefunds: [] });
    const refund = { key: 'ref_1', chargeKey: 'pay_1', reference: 'sub_1', amount: usd('400') };
    expect([asked, ended]).toEqual([[refund], ['member']]);
  });

  it('is asked for again while its outcome is unknown, and is then as it was', async () => {
    let isDown = true;
    const { run, asked, ended } = await scene(async () => {
      if (isDown) throw new Fault('unavailable', 'down', { retryable: true });
      return refunded;
    }, ask);
    expect(await run(1)).toMatchObject({ status: 'SUCCEEDED', openRefunds: [{}] });
    isDown = false;
    expect(await run()).toMatchObject({ status: 'PARTIALLY_REFUNDED' });
    expect(asked[1]).toEqual(asked[0]);
    expect(ended).toEqual(['later member', 'member']);
  });

  it('that the gateway refuses has failed, and is not asked for again', async () => {
    const refused: GatewayRefundOutcome = { status: 'refused', why: 'nothing is left there' };
    const { run, asked, ended } = await scene(async () => refused, ask);
    expect(await run()).toMatchObject({ status: 'SUCCEEDED', openRefunds: [] });
    await run();
    expect([asked.length, ended]).toEqual([1, ['member', 'member']]);
  });

  it('has not failed where the gateway itself is refused something: it is asked for again', async () => {
    let isLockedOut = true;
    const { run, ended } = await scene(async () => {
      if (isLockedOut) throw new Fault('refused', 'wrong credentials', { retryable: false });
      return refunded;
    }, ask);
    expect(await run(1)).toMatchObject({ status: 'SUCCEEDED', openRefunds: [{}] });
    isLockedOut = false;
    expect(await run()).toMatchObject({ status: 'PARTIALLY_REFUNDED' });
    expect(ended).toEqual(['later member', 'member']);
  });

  it('that takes its time at the gateway is asked for again', async () => {
    const outcomes: GatewayRefundOutcome[] = [{ status: 'pending' }, refunded];
    const { run, ended } = await scene(async () => outcomes.shift() ?? refunded, ask);
    expect(await run()).toMatchObject({ status: 'SUCCEEDED', openRefunds: [{}] });
    expect(await run()).toMatchObject({ status: 'PARTIALLY_REFUNDED' });
    expect(ended).toEqual(['later member', 'member']);
  });

  it('that was not asked for gives nothing back', async () => {
    const { run, asked, ended } = await scene(async () => refunded);
    expect(await run(1)).toMatchObject({ status: 'SUCCEEDED' });
    expect([asked, ended]).toEqual([[], ['later member']]);
  });
});
