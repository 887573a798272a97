import { accept, type Aggregate } from '#domain/decider';
import type { Instant } from '#domain/event';
import type { Money } from '#domain/money';
import type { CommandExecutor } from '#event-store';
import { assertDefect, type Clock } from '#platform';
import type { ChargeQuery, SettledCharge } from './gateway.js';
import {
  type SandboxAccount,
  sandboxAccountAggregate,
  type SandboxCharge,
  type SandboxEvent,
} from './sandbox-account.js';
import { NOT_CONFIRMED } from './sandbox-methods.js';
import { contextAt, toSettled } from './sandbox-outcome.js';

/** A confirmation that the sandbox's bank has asked a player for. */
export interface SandboxChallenge {
  readonly amount: Money;
  /** The decision; null while it is open. */
  readonly outcome: SettledCharge | null;
}

/** The bank's side of challenges (rules/payments 19): a page of the storefront asks, and the player decides. */
export interface SandboxChallenges {
  /** Undefined where no confirmation was ever asked for. @throws Fault `unavailable`. */
  find(query: ChargeQuery): Promise<SandboxChallenge | undefined>;
  /** Decides once: an earlier decision stays. @throws Fault `unavailable`. */
  decide(query: ChargeQuery, isAccepted: boolean): Promise<SandboxChallenge | undefined>;
}

interface DecideChallenge {
  readonly kind: 'DecideChallenge';
  readonly key: string;
  readonly isAccepted: boolean;
  readonly now: Instant;
}

/** The challenges in the sandbox's books: the stream, and its fold, of the account whose charges they are about. */
export const sandboxChallengesAggregate: Aggregate<
  SandboxAccount,
  DecideChallenge,
  SandboxEvent,
  never
> = {
  category: sandboxAccountAggregate.category,
  decider: {
    initialState: sandboxAccountAggregate.decider.initialState,
    evolve: sandboxAccountAggregate.decider.evolve,
    decide: ({ key, isAccepted, now: at }, { charges }) => {
      const charge = charges[key];
      // The player decides only charges that wait for the player, and once.
      if (charge?.challengeUrl === undefined || charge.outcome !== 'pending') return accept();
      const outcome = isAccepted ? 'captured' : NOT_CONFIRMED;
      return accept({ type: 'sandbox.challenge_decided.v1', data: { key, outcome, at } });
    },
  },
};

/** @param clock the wall clock, which is the gateway's. */
export function createSandboxChallenges(options: {
  readonly commands: Pick<CommandExecutor, 'load' | 'execute'>;
  readonly clock: Clock;
}): SandboxChallenges {
  const { commands, clock } = options;
  return {
    find: async ({ key, reference }) => {
      const { state } = await commands.load(sandboxChallengesAggregate, reference);
      return describe(state.charges[key]);
    },
    decide: async ({ key, reference }, isAccepted) => {
      const now = clock.now();
      const command = { kind: 'DecideChallenge', key, isAccepted, now } as const;
      const context = contextAt(now, key);
      const result = await commands.execute(
        sandboxChallengesAggregate,
        reference,
        command,
        context,
      );
      assertDefect(result.accepted, 'the sandbox refuses no decision');
      return describe(result.state.charges[key]);
    },
  };
}

function describe(charge: SandboxCharge | undefined): SandboxChallenge | undefined {
  if (charge?.challengeUrl === undefined) return undefined;
  const { amount, outcome } = charge;
  return { amount, outcome: outcome === 'pending' ? null : toSettled(outcome) };
}
