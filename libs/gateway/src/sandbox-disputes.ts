import { accept, type Aggregate, type AnyRejection, type Decision, reject } from '#domain/decider';
import type { Instant } from '#domain/event';
import { isGreater, isPositive } from '#domain/money';
import {
  findRemaining,
  type SandboxAccount,
  sandboxAccountAggregate,
  type SandboxDispute,
  type SandboxEvent,
} from './sandbox-account.js';

/** A card network's act: the sandbox does it when it is asked to (rules/payments 14). */
export type SandboxDisputeCommand =
  | {
      readonly kind: 'OpenDispute';
      readonly chargeKey: string;
      /** In minor units of the charge's currency; all that is left when not given. */
      readonly amountMinor?: string;
      readonly now: Instant;
    }
  | {
      readonly kind: 'CloseDispute';
      readonly disputeId: string;
      readonly won: boolean;
      readonly now: Instant;
    };

export interface SandboxDisputeRejection extends AnyRejection {
  readonly code:
    | 'sandbox/nothing_to_dispute'
    | 'sandbox/dispute_exceeds_remaining'
    | 'sandbox/dispute_not_found'
    | 'sandbox/dispute_closed';
}

type DisputeDecision = Decision<SandboxEvent, SandboxDisputeRejection>;

/** The disputes in the sandbox's books: the stream, and its fold, of the account whose charges they are about. */
export const sandboxDisputesAggregate: Aggregate<
  SandboxAccount,
  SandboxDisputeCommand,
  SandboxEvent,
  SandboxDisputeRejection
> = {
  category: sandboxAccountAggregate.category,
  decider: {
    initialState: sandboxAccountAggregate.decider.initialState,
    evolve: sandboxAccountAggregate.decider.evolve,
    decide: (command, state) =>
      command.kind === 'OpenDispute' ? open(command, state) : close(command, state),
  },
};

/** The disputes of a charge, in the order they were opened in. */
export function listDisputes({ disputes }: SandboxAccount, chargeKey: string): SandboxDispute[] {
  return Object.values(disputes).filter((one) => one.chargeKey === chargeKey);
}

/** The charge that a dispute is about, by the dispute's id; undefined for another text. */
export function readChargeKey(disputeId: string): string | undefined {
  const rest = /^dsp_([0-9a-z]+)\.\d{1,6}$/.exec(disputeId)?.[1];
  return rest === undefined ? undefined : `pay_${rest}`;
}

function open(
  { chargeKey, amountMinor, now }: Extract<SandboxDisputeCommand, { kind: 'OpenDispute' }>,
  state: SandboxAccount,
): DisputeDecision {
  const remaining = findRemaining(state, chargeKey);
  if (remaining === undefined || !isPositive(remaining)) {
    return reject('sandbox/nothing_to_dispute', chargeKey);
  }
  const amount = amountMinor === undefined ? remaining : { ...remaining, amountMinor };
  if (isGreater(amount, remaining)) {
    return reject('sandbox/dispute_exceeds_remaining', remaining.amountMinor);
  }
  // It is found by its id alone, so it is named by its charge.
  const number = listDisputes(state, chargeKey).length + 1;
  const disputeId = `dsp_${chargeKey.replace('pay_', '')}.${number}`;
  return accept({
    type: 'sandbox.dispute_opened.v1',
    data: { disputeId, chargeKey, amount, at: now },
  });
}

function close(
  { disputeId, won, now }: Extract<SandboxDisputeCommand, { kind: 'CloseDispute' }>,
  state: SandboxAccount,
): DisputeDecision {
  const dispute = state.disputes[disputeId];
  if (dispute === undefined) return reject('sandbox/dispute_not_found', disputeId);
  if (dispute.won === won) return accept();
  if (dispute.won !== null) return reject('sandbox/dispute_closed', disputeId);
  return accept({ type: 'sandbox.dispute_closed.v1', data: { disputeId, won, at: now } });
}
