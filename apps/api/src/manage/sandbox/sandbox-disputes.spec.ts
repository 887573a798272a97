import { describe, expect, it } from 'vitest';
import type { CommandBus } from '@nestjs/cqrs';
import { paymentAggregate, type PaymentCommand } from '#domain/payment';
import { createCommandExecutor, type EventStore } from '#event-store';
import { createSandboxGateway, createSandboxNotices, type GatewayNotice } from '#gateway';
import { type CommandContext, Ledger } from '#nest';
import { Fault } from '#platform';
import { periodCharge } from '../../../../../libs/domain/src/payment/spec-support/period-charge.js';
import { MemoryEventStore } from '../../../../../test/support/memory-event-store.js';
import type { ReceiveNotice } from '../../gateway-notices/commands/receive-notice.js';
import {
  CloseDispute,
  CloseDisputeHandler,
  OpenDispute,
  OpenDisputeHandler,
  SandboxDisputes,
} from './commands/sandbox-disputes.js';
import type { EndsByDispute } from './ends-by-dispute.js';

const NOW = '2027-02-03T08:00:00.000Z';
const PAYMENT = 'pay_01kg9qxg805fd9zf3vcz2q1fb6nq';
const DISPUTE = 'dsp_01kg9qxg805fd9zf3vcz2q1fb6nq.1';
const amount = { amountMinor: '999', currency: 'USD' };
const clock = { now: () => NOW };
// Of an app that keeps its subscriptions.
const ends = { await: async (_payment, lostAt) => lostAt } as EndsByDispute;
const contextOnce = (commandId: string): CommandContext => ({
  ...{ appId: 'app_1', environment: 'test', actor: 'operator:x', correlationId: 'c', now: NOW },
  ...{ commandId, commandHash: 'hash' },
});

describe('a dispute whose notice is lost on its way to the ledger', () => {
  it('is in the books once, and a call that is repeated with its key tells again', async () => {
    const { open, close, told, loseNext } = await begin();
    loseNext();
    await expect(
      open.execute(
        new OpenDispute({ paymentId: PAYMENT, amountCents: undefined, context: contextOnce('1') }),
      ),
    ).rejects.toThrow('lost');
    const opened = await open.execute(
      new OpenDispute({ paymentId: PAYMENT, amountCents: undefined, context: contextOnce('1') }),
    );
    expect(opened).toEqual({ disputeId: DISPUTE });
    loseNext();
    await expect(
      close.execute(
        new CloseDispute({ disputeId: DISPUTE, won: false, context: contextOnce('2') }),
      ),
    ).rejects.toThrow('lost');
    await close.execute(
      new CloseDispute({ disputeId: DISPUTE, won: false, context: contextOnce('2') }),
    );
    const about = { chargeKey: PAYMENT, disputeId: DISPUTE, amount };
    expect(told).toEqual([
      { kind: 'dispute_opened', ...about },
      { kind: 'dispute_closed', ...about, won: false },
    ]);
  });
});

/** A payment that was captured, and a way to the ledger on which notices may be lost. */
async function begin() {
  const store = new MemoryEventStore() as Partial<EventStore> as EventStore;
  const commands = createCommandExecutor(store);
  await payOnce(commands);
  const notices = createSandboxNotices({ keys: () => [Buffer.alloc(32, 1)], clock });
  const told: GatewayNotice[] = [];
  let isLost = false;
  const execute = async ({ received }: ReceiveNotice) => {
    const lost = isLost;
    isLost = false;
    if (lost) throw new Fault('unavailable', 'lost', { retryable: true });
    const reading = await notices.read(received);
    if (reading.genuine) told.push(...reading.notices);
    return null;
  };
  const gateways = { serves: async () => true };
  const disputes = new SandboxDisputes(
    ...([new Ledger(commands), { execute } as unknown as CommandBus] as const),
    ...([gateways as never, notices, clock] as const),
  );
  const [open, close] = [new OpenDisputeHandler(disputes), new CloseDisputeHandler(disputes, ends)];
  return { open, close, told, loseNext: () => void (isLost = true) };
}

async function payOnce(commands: ReturnType<typeof createCommandExecutor>): Promise<void> {
  const { lines, purpose } = periodCharge({
    ...{ subscriptionId: 'sub_1', amount, start: NOW, number: 1 },
  });
  const charge = {
    ...{ paymentId: PAYMENT, appId: 'app_1', player: 'p', checkoutLinkId: '' },
    ...{ regionCode: '', paymentMethod: 'pm_ok', personal: {}, amount, lines, purpose },
  };
  const method = { paymentMethodSubType: '', issuerBank: '' };
  const history: PaymentCommand[] = [
    { kind: 'RequestPayment', charge, now: NOW },
    { kind: 'CapturePayment', method, now: NOW },
  ];
  const { commandId: _, ...context } = contextOnce('');
  for (const command of history) {
    await commands.execute(paymentAggregate, PAYMENT, command, context);
  }
  const about = { key: PAYMENT, reference: 'sub_1', paymentMethod: 'pm_ok', offSession: false };
  await createSandboxGateway({ commands, clock }).charge({ ...about, amount });
}
