import type { CheckoutLinkCommand } from '../checkout-link/index.js';
import type { Instant } from '../event/index.js';
import { deriveClaimCommandId } from '../ids/index.js';
import type { LoyaltyCommand } from '../loyalty/index.js';
import type { OrderCommand } from '../order/index.js';
import { type ChargeRequest, type PaymentCommand, sumLines } from '../payment/index.js';
import type { PlanClaim, PlayerPlansCommand } from '../player-plans/index.js';
import type { SubscriptionCommand } from '../subscription/index.js';

/** When a charge without an outcome is given up (rules/payments 17), by the app's clock or by the wall's. */
export interface ChargeBound {
  readonly clock: 'app' | 'wall';
  readonly at: Instant;
}

/** A command for one stream; that of `loyalty` and `player_plans` is named by the player's pseudonym. */
interface CommandStep<Kind, Command> {
  readonly kind: Kind;
  readonly id: string;
  readonly command: Command;
  /**
   * The command's id, where the domain itself does not tell a repetition: the stream remembers it, and the command is
   * done once.
   */
  readonly commandId?: string;
}

/**
 * A step that a process wants after an event: a charge or a refund at the gateway (slow, and outside of us, so it
 * becomes a job), or a command for the one command executor. Each is harmless when done twice, since events arrive at
 * least once.
 */
export type ProcessStep =
  | { readonly kind: 'charge'; readonly charge: ChargeRequest; readonly bound: ChargeBound }
  | { readonly kind: 'refund'; readonly paymentId: string; readonly refundId: string }
  | CommandStep<'checkout_link', CheckoutLinkCommand>
  | CommandStep<'loyalty', LoyaltyCommand>
  | CommandStep<'order', OrderCommand>
  | CommandStep<'payment', PaymentCommand>
  | CommandStep<'player_plans', PlayerPlansCommand>
  | CommandStep<'subscription', SubscriptionCommand>;

/** A dispute of a payment as the subject of the payment records it. */
interface RecordedDispute {
  readonly paymentId: string;
  readonly closed: boolean;
  readonly recordedAt: Instant;
}

/** The step that charges the sum of the lines, and asks for the outcome up to the bound. */
export function chargeStep(charge: Omit<ChargeRequest, 'amount'>, bound: ChargeBound): ProcessStep {
  return { kind: 'charge', bound, charge: { ...charge, amount: sumLines(charge.lines) } };
}

export function onLink(id: string, command: CheckoutLinkCommand): ProcessStep {
  return { kind: 'checkout_link', id, command };
}

export function onPayment(id: string, command: PaymentCommand): ProcessStep {
  return { kind: 'payment', id, command };
}

/** @param commandId as of each `CommandStep`. */
export function onOrder(id: string, command: OrderCommand, commandId?: string): ProcessStep {
  return { kind: 'order', id, command, ...(commandId !== undefined && { commandId }) };
}

/** @param commandId as of each `CommandStep`. */
export function onSubscription(
  id: string,
  command: SubscriptionCommand,
  commandId?: string,
): ProcessStep {
  return { kind: 'subscription', id, command, ...(commandId !== undefined && { commandId }) };
}

/** All of a payment that came too late is to be given back; the payment names the refund. */
export function returnLate(paymentId: string, now: Instant): ProcessStep {
  return onPayment(paymentId, { kind: 'ReturnPayment', now });
}

/** The same where a dispute is closed that held it back (rules/payments 14). */
export function returnLateUndisputed(
  { paymentId, closed, recordedAt }: RecordedDispute,
  lateCaptures: readonly string[],
): ProcessStep[] {
  return closed && lateCaptures.includes(paymentId) ? [returnLate(paymentId, recordedAt)] : [];
}

/** The step that claims a plan in its player's stream, once (rules/lifecycle 15). */
export function claimStep(player: string, claim: PlanClaim, now: Instant): ProcessStep {
  const commandId = deriveClaimCommandId(claim.claimId);
  return {
    kind: 'player_plans',
    id: player,
    command: { kind: 'ClaimPlan', claim, now },
    commandId,
  };
}

/** The step that frees plans for other subscriptions of their player. */
export function releaseStep(
  player: string,
  claimIds: readonly string[],
  now: Instant,
): ProcessStep {
  return { kind: 'player_plans', id: player, command: { kind: 'ReleasePlans', claimIds, now } };
}
