import { beforeEach, expect, it } from 'vitest';
import { paymentAggregate, type PaymentCommand } from '#domain/payment';
import { type CommandExecutor, createCommandExecutor, type EventStore } from '#event-store';
import type { PersonalData } from '#tenancy';
import { periodCharge } from '../../../../../libs/domain/src/payment/spec-support/period-charge.js';
import { MemoryEventStore } from '../../../../../test/support/memory-event-store.js';
import { RefundOutcome } from './refund-outcome.js';

const NOW = '2027-02-03T08:00:00.000Z';
const PAYMENT = 'pay_01kg9qxg805fd9zf3vcz2q1fb6nq';
const amount = { amountMinor: '1000', currency: 'USD' };
const purpose = periodCharge({ subscriptionId: 'sub_1', amount, start: NOW, number: 2 });
const player = '5f2a9c04d1e84b7796ab30c2d4e5f601';
const charge = { paymentId: PAYMENT, appId: 'app_1', player, checkoutLinkId: '', ...purpose };
const context = {
  appId: 'app_1',
  environment: 'test',
  actor: 'process:x',
  correlationId: 'c',
  now: NOW,
} as const;

let commands: CommandExecutor;
beforeEach(() => {
  // As much of the store as commands need.
  const store = new MemoryEventStore() as Partial<EventStore> as EventStore;
  commands = createCommandExecutor(store);
});

async function act(command: PaymentCommand) {
  const result = await commands.execute(paymentAggregate, PAYMENT, command, context);
  if (!result.accepted) throw new Error(result.rejection.code);
  return { ...result, bucket: 'b' };
}

/** Captured, and to be refunded for 4.00. */
async function ask() {
  await act({
    kind: 'RequestPayment',
    now: NOW,
    charge: { ...charge, paymentMethod: 'pm_ok', personal: {} },
  });
  const method = { paymentMethodSubType: '', issuerBank: '' };
  await act({ kind: 'CapturePayment', method, now: NOW });
  return act({ kind: 'RequestRefund', refundId: 'ref_1', amountMinor: '400', now: NOW });
}

const outcome = () => {
  const personal: Partial<PersonalData> = {
    names: async () => Promise.resolve({ accountId: 'player-1' }),
  };
  const ledger = { load: commands.load.bind(commands) };
  // It asks the ledger and the names of players for no more than this.
  return new RefundOutcome(ledger as never, personal as PersonalData, new AbortController().signal);
};

it('a refund that was made is no refused one, also where a lost dispute had taken the whole', async () => {
  const asked = await ask();
  const dispute = { disputeId: 'dsp_1', amount, now: NOW };
  await act({ kind: 'OpenDispute', ...dispute });
  await act({ kind: 'CloseDispute', ...dispute, won: false });
  await act({ kind: 'ConfirmRefund', refundId: 'ref_1', now: NOW });
  expect(await outcome().await(PAYMENT, 'ref_1', asked)).toBeDefined();
});

it('a refund that the gateway refuses is answered as refused', async () => {
  const asked = await ask();
  await act({ kind: 'FailRefund', refundId: 'ref_1', now: NOW });
  await expect(outcome().await(PAYMENT, 'ref_1', asked)).rejects.toMatchObject({
    reason: 'REFUND_REFUSED',
  });
});
