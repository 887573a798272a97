import { readBucket } from '#domain/ids';
import { decimalsOf, type Money } from '#domain/money';
import {
  isRefundMade,
  paymentAggregate,
  type PaymentRejection,
  type RequestedPayment,
} from '#domain/payment';
import { testClockAggregate, testClockNow } from '#domain/test-clock';
import {
  type CommandContext,
  type CommandExecutor,
  createCommandExecutor,
  type ExecutorRejection,
  type LedgerStore,
} from '#event-store';
import { assertDefect, newId, newUuid, sleep, wallClock } from '#platform';
import { sayMoney } from '#representations';
import { CliError } from '../cli-error.js';
import { type ShareBar, withBar } from '../progress-bar.js';

/** A gateway gives most refunds at once; a worker that is down gives none. */
const OUTCOME_LIMIT_MS = 10_000;
const OUTCOME_POLL_MS = 250;

export interface RefundReport {
  readonly paymentId: string;
  readonly refundId: string;
  readonly amount: Money;
  /** `asked` where no worker has asked the gateway yet, or the gateway takes its time. */
  readonly outcome: 'refunded' | 'refused' | 'asked';
}

/**
 * Asks for a refund as the API does, by the same decision, and waits a while for its outcome (rules/payments 13).
 *
 * @param amount in major units; all that is left without it. @throws CliError where it is refused; Fault.
 */
export async function askRefund(
  store: LedgerStore,
  paymentId: string,
  amount: string | undefined,
): Promise<RefundReport> {
  await store.namespaces.require();
  const commands = createCommandExecutor(store);
  const { state: payment } = await commands.load(paymentAggregate, paymentId);
  if (payment.status === 'none') throw new CliError(`There is no payment ${paymentId}.`);
  const context = await contextFor(store, commands, payment);
  const refundId = newId('ref', context.now, readBucket(paymentId));
  const { currency } = payment.amount;
  const command = {
    kind: 'RequestRefund',
    refundId,
    ...(amount !== undefined && { amountMinor: toMinor(amount, currency) }),
    now: context.now,
  } as const;
  const result = await commands.execute(paymentAggregate, paymentId, command, context);
  if (!result.accepted) throw refused(result.rejection, currency);
  const [event] = result.events;
  assertDefect(event?.type === 'payment.refund_requested.v1', `${refundId} was not asked for`);
  const asked = { paymentId, refundId };
  const outcome = await withBar('asking the gateway', (bar) => awaitOutcome(commands, asked, bar));
  return { paymentId, refundId, amount: event.data.amount, outcome };
}

/** In the app's own time, as for all that is done in it. */
async function contextFor(
  store: LedgerStore,
  commands: CommandExecutor,
  { paymentId, appId, player }: RequestedPayment,
): Promise<CommandContext> {
  const stream = `${paymentAggregate.category}-${paymentId}`;
  const { state: clock } = await commands.load(testClockAggregate, appId);
  const now = testClockNow(clock, wallClock.now());
  for await (const { metadata } of store.readStream(stream, { maxCount: 1 })) {
    const { environment } = metadata;
    return { appId, environment, player, now, actor: 'cli', correlationId: newUuid() };
  }
  throw new CliError(`There is no payment ${paymentId}.`);
}

/** Looks a few times a second for the worker's outcome. */
async function awaitOutcome(
  commands: CommandExecutor,
  asked: { readonly paymentId: string; readonly refundId: string },
  bar: ShareBar,
): Promise<RefundReport['outcome']> {
  const startedAtMs = performance.now();
  for (;;) {
    const outcome = await findOutcome(commands, asked);
    const share = (performance.now() - startedAtMs) / OUTCOME_LIMIT_MS;
    if (outcome !== undefined || share >= 1) return outcome ?? 'asked';
    bar.draw(share);
    await sleep(OUTCOME_POLL_MS);
  }
}

async function findOutcome(
  commands: CommandExecutor,
  { paymentId, refundId }: Parameters<typeof awaitOutcome>[1],
): Promise<RefundReport['outcome'] | undefined> {
  const { state } = await commands.load(paymentAggregate, paymentId);
  if (state.status === 'none' || !state.refundIds.includes(refundId)) return undefined;
  return isRefundMade(state, refundId) ? 'refunded' : 'refused';
}

/** @throws CliError for more decimals than the currency has. */
function toMinor(amount: string, currency: string): string {
  const decimals = decimalsOf(currency);
  const [whole = '', fraction = ''] = amount.split('.');
  if (fraction.length > decimals) {
    throw new CliError(`--amount has more decimals than ${currency} has: ${decimals}.`, 'usage');
  }
  return BigInt(`${whole}${fraction.padEnd(decimals, '0')}`).toString();
}

function refused(
  { code, detail = '' }: PaymentRejection | ExecutorRejection,
  currency: string,
): CliError {
  switch (code) {
    case 'payment/not_refundable':
      return new CliError(
        `The payment is ${detail}: it cannot be refunded.`,
        'refused',
        [],
        'PAYMENT_NOT_REFUNDABLE',
      );
    case 'payment/refund_exceeds_remaining': {
      const left = sayMoney({ amountMinor: detail, currency });
      const message = `No more than ${left} is left of the payment.`;
      return new CliError(message, 'refused', [], 'REFUND_EXCEEDS_REMAINING');
    }
    case 'payment/too_many_refunds':
      return new CliError(
        'The payment has as many refunds as a payment can have.',
        'refused',
        [],
        'TOO_MANY_REFUNDS',
      );
    default:
      throw new Error(`a refund was refused as ${code}`);
  }
}
