import { describe, expect, it } from 'vitest';
import {
  type SandboxAccount,
  sandboxAccountAggregate,
  type SandboxCommand,
  type SandboxEvent,
} from './sandbox-account.js';

const { decide, evolve, initialState } = sandboxAccountAggregate.decider;
const T0 = '2027-01-31T10:00:00.000Z';
const captured = 'captured';
const usd = (amountMinor: string) => ({ amountMinor, currency: 'USD' });

/** The sandbox's payment methods (rules/payments 9): a purchase first, then renewals without the player. */
describe('the payment method', () => {
  const declined = (reason: string, declineClass: string) => ({ reason, declineClass });
  const noFunds = declined('insufficient_funds', 'soft');

  it.each([
    ['pm_ok', [captured, captured, captured]],
    ['pm_decline_insufficient_funds', [noFunds, noFunds, noFunds]],
    ['pm_decline_do_not_honor', Array(3).fill(declined('do_not_honor', 'soft'))],
    ['pm_decline_lost_card', Array(3).fill(declined('lost_or_stolen_card', 'hard'))],
    ['pm_decline_fraud', Array(3).fill(declined('fraud_suspected', 'fraud'))],
    [
      'pm_authentication_required',
      Array(3).fill(declined('authentication_required', 'authentication_required')),
    ],
    ['pm_renewal_declines', [captured, noFunds, noFunds]],
    ['pm_renewal_declines_once', [captured, noFunds, captured]],
    ['pm_pending', ['pending', 'pending', 'pending']],
    ['pm_timeout', [captured, captured, captured]],
  ])('%s is treated as it says', (paymentMethod, outcomes) => {
    const account = [
      charge('first', { paymentMethod }),
      charge('renewal', { paymentMethod, offSession: true }),
      charge('retry', { paymentMethod, offSession: true }),
    ].reduce(after, initialState);
    const found = ['first', 'renewal', 'retry'].map((key) => account.charges[key]?.outcome);
    expect(found).toMatchObject(outcomes);
  });

  it('pm_renewal_declines_once declines the end of a trial, a renewal, and takes its retry', () => {
    const paymentMethod = 'pm_renewal_declines_once';
    const account = ['end of trial', 'retry']
      .map((key) => charge(key, { paymentMethod, offSession: true }))
      .reduce(after, initialState);
    expect(account.charges['end of trial']?.outcome).toMatchObject(noFunds);
    expect(account.charges['retry']?.outcome).toBe(captured);
  });

  it('counts its own charges alone: another method that failed before is not its first one', () => {
    const account = [
      charge('tried', { paymentMethod: 'pm_decline_do_not_honor' }),
      charge('bought', { paymentMethod: 'pm_renewal_declines' }),
    ].reduce(after, initialState);
    expect(account.charges['bought']?.outcome).toBe(captured);
  });
});

describe('a refund', () => {
  const bought = after(initialState, charge('a'));

  it('of one charge leaves another one whole', () => {
    const both = [charge('b'), refundCommand('a', 'r1', '999')].reduce(after, bought);
    expect(decide(refundCommand('b', 'r2', '999'), both).accepted).toBe(true);
  });

  it.each(['pm_decline_fraud', 'pm_pending'])('of nothing captured is refused: %s', (method) => {
    const account = after(initialState, charge('a', { paymentMethod: method }));
    expect(decide(refundCommand('a', 'r1', '1'), account).accepted).toBe(false);
    expect(decide(refundCommand('unknown', 'r1', '1'), account).accepted).toBe(false);
  });
});

function charge(
  key: string,
  details: { paymentMethod?: string; offSession?: boolean; now?: string } = {},
): SandboxCommand {
  const { paymentMethod = 'pm_ok', offSession = false, now = T0 } = details;
  return { kind: 'Charge', key, paymentMethod, amount: usd('999'), offSession, now };
}

function refundCommand(chargeKey: string, key: string, amountMinor: string): SandboxCommand {
  return { kind: 'Refund', key, chargeKey, amount: usd(amountMinor), now: T0 };
}

function decideEvents(command: SandboxCommand, account: SandboxAccount): readonly SandboxEvent[] {
  const decision = decide(command, account);
  return decision.accepted ? decision.events : [];
}

function after(account: SandboxAccount, command: SandboxCommand): SandboxAccount {
  return decideEvents(command, account).reduce(evolve, account);
}
