import type { CommandExecutor } from '#event-store';
import { assertDefect, type Clock, Fault } from '#platform';
import type {
  ChargeOutcome,
  ChargeQuery,
  FoundCharge,
  FoundRefund,
  GatewayCharge,
  GatewayRefund,
  PaymentGateway,
  GatewayRefundOutcome,
  RefundQuery,
} from './gateway.js';
import { sandboxAccountAggregate, type SandboxCharge } from './sandbox-account.js';
import { contextAt, toSettled } from './sandbox-outcome.js';
import { IS_DOWN, LOSES_ITS_ANSWER, SANDBOX_METHODS } from './sandbox-methods.js';

/** As gateways have it. The sandbox never forgets a key: test apps take the road of all others. */
const KEY_LIFETIME_MS = 24 * 3_600_000;

/**
 * The gateway that comes with the project (rules/payments 9). Its books are streams of its own in the
 * event store, so that it remembers as a real one does, over crashes and on every machine.
 *
 * @param clock the wall clock: the gateway is outside of us and knows of no test clock.
 */
export function createSandboxGateway(options: {
  readonly commands: CommandExecutor;
  readonly clock: Clock;
}): PaymentGateway {
  const { commands, clock } = options;
  return {
    keyLifetimeMs: KEY_LIFETIME_MS,
    knows: (paymentMethod) => SANDBOX_METHODS.has(paymentMethod),
    charge: (charge) => chargeOnce(commands, clock, charge),
    refund: (refund) => refundOnce(commands, clock, refund),
    findCharge: (query) => findCharge(commands, clock, query),
    findRefund: (query) => findRefund(commands, query),
  };
}

async function chargeOnce(
  commands: CommandExecutor,
  clock: Clock,
  { key, reference, paymentMethod, amount, offSession, returnUrl }: GatewayCharge,
): Promise<ChargeOutcome> {
  if (paymentMethod === IS_DOWN) throw outOfReach('the sandbox gateway is down');
  const now = clock.now();
  const charge = { key, paymentMethod, amount, offSession, returnUrl };
  const command = { kind: 'Charge', ...charge, now } as const;
  const result = await commands.execute(
    sandboxAccountAggregate,
    reference,
    command,
    contextAt(now, key),
    // A purchase is the first charge of its reference, unless it is asked for again.
    { isNew: !offSession },
  );
  assertDefect(result.accepted, `the sandbox does not know the payment method ${paymentMethod}`);
  const isFirstCall = result.events.some((event) => event.type === 'sandbox.charged.v1');
  if (paymentMethod === LOSES_ITS_ANSWER && isFirstCall) {
    throw outOfReach('the answer of the sandbox gateway was lost');
  }
  const charged = result.state.charges[key];
  assertDefect(charged, 'a charge that was made is in the books');
  return toOutcome(charged);
}

async function refundOnce(
  commands: CommandExecutor,
  clock: Clock,
  { key, chargeKey, reference, amount }: GatewayRefund,
): Promise<GatewayRefundOutcome> {
  const now = clock.now();
  const command = { kind: 'Refund', key, chargeKey, amount, now } as const;
  const context = contextAt(now, key);
  const result = await commands.execute(sandboxAccountAggregate, reference, command, context);
  if (result.accepted) return { status: 'refunded' };
  return { status: 'refused', why: `the sandbox gateway has nothing to refund of ${chargeKey}` };
}

async function findCharge(
  commands: CommandExecutor,
  clock: Clock,
  { key, reference }: ChargeQuery,
): Promise<FoundCharge> {
  const now = clock.now();
  const command = { kind: 'Settle', key, now } as const;
  const context = contextAt(now, key);
  const result = await commands.execute(sandboxAccountAggregate, reference, command, context);
  assertDefect(result.accepted, 'the sandbox finds whatever it is asked for');
  const charged = result.state.charges[key];
  return charged === undefined ? { status: 'unknown' } : toOutcome(charged);
}

async function findRefund(
  commands: CommandExecutor,
  { key, reference }: RefundQuery,
): Promise<FoundRefund> {
  const { state } = await commands.load(sandboxAccountAggregate, reference);
  return { status: state.refunds[key] === undefined ? 'unknown' : 'refunded' };
}

function toOutcome({ outcome, challengeUrl }: SandboxCharge): ChargeOutcome {
  if (outcome !== 'pending') return toSettled(outcome);
  return challengeUrl === undefined
    ? { status: 'pending' }
    : { status: 'challenge', url: challengeUrl };
}

function outOfReach(message: string): Fault {
  return new Fault('unavailable', message, { retryable: true });
}
