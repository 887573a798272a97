import { describe, expect, it } from 'vitest';
import { type SandboxAccount, sandboxAccountAggregate } from './sandbox-account.js';
import {
  listDisputes,
  readChargeKey,
  type SandboxDisputeCommand,
  sandboxDisputesAggregate,
} from './sandbox-disputes.js';

const { decide, evolve, initialState } = sandboxDisputesAggregate.decider;
const now = '2027-01-31T10:00:00.000Z';
const usd = (amountMinor: string) => ({ amountMinor, currency: 'USD' });
const bought = charge('pay_1', 'pm_ok', initialState);
const open = (amountMinor?: string): SandboxDisputeCommand => ({
  kind: 'OpenDispute',
  chargeKey: 'pay_1',
  ...(amountMinor !== undefined && { amountMinor }),
  now,
});
const close = (disputeId: string, won: boolean): SandboxDisputeCommand => ({
  kind: 'CloseDispute',
  ...{ disputeId, won, now },
});

describe('a dispute in the books of the sandbox', () => {
  it('is about all that is left, under an id that tells its charge', () => {
    const account = refund('400', after(bought, open('100')));
    expect(listDisputes(after(account, open()), 'pay_1')).toMatchObject([
      { disputeId: 'dsp_1.1', amount: usd('100'), won: null },
      { disputeId: 'dsp_1.2', amount: usd('499'), won: null },
    ]);
    expect([readChargeKey('dsp_1.2'), readChargeKey('dsp_none'), readChargeKey('pay_1.1')]).toEqual(
      ['pay_1', undefined, undefined],
    );
  });

  it('keeps what it is about from refunds while it is open, and for good where it is lost', () => {
    const during = after(bought, open('600'));
    expect(isRefunded('400', during)).toBe(false);
    expect(isRefunded('399', during)).toBe(true);
    expect(isRefunded('400', after(during, close('dsp_1.1', false)))).toBe(false);
    expect(isRefunded('999', after(during, close('dsp_1.1', true)))).toBe(true);
  });

  it('is closed once', () => {
    const won = after(bought, open(), close('dsp_1.1', true));
    expect(decide(close('dsp_1.1', true), won)).toEqual({ accepted: true, events: [] });
    expect(decideCode(close('dsp_1.1', false), won)).toBe('sandbox/dispute_closed');
    expect(decideCode(close('dsp_1.2', false), won)).toBe('sandbox/dispute_not_found');
  });

  it('is of a charge that was captured, and of no more than is left', () => {
    expect(decideCode(open(), initialState)).toBe('sandbox/nothing_to_dispute');
    const declined = charge('pay_1', 'pm_decline_fraud', initialState);
    expect(decideCode(open(), declined)).toBe('sandbox/nothing_to_dispute');
    expect(decideCode(open(), after(bought, open()))).toBe('sandbox/nothing_to_dispute');
    expect(decideCode(open('1000'), bought)).toBe('sandbox/dispute_exceeds_remaining');
  });
});

function after(state: SandboxAccount, ...commands: SandboxDisputeCommand[]): SandboxAccount {
  return commands.reduce((account, command) => {
    const decision = decide(command, account);
    if (!decision.accepted) throw new Error(decision.rejection.code);
    return decision.events.reduce(evolve, account);
  }, state);
}

function decideCode(command: SandboxDisputeCommand, state: SandboxAccount): string {
  const decision = decide(command, state);
  return decision.accepted ? 'accepted' : decision.rejection.code;
}

function charge(key: string, paymentMethod: string, state: SandboxAccount): SandboxAccount {
  const about = { key, paymentMethod, amount: usd('999'), offSession: false, now };
  return follow(sandboxAccountAggregate.decider.decide({ kind: 'Charge', ...about }, state), state);
}

function refund(amountMinor: string, state: SandboxAccount): SandboxAccount {
  return follow(askRefund(amountMinor, state), state);
}

function isRefunded(amountMinor: string, state: SandboxAccount): boolean {
  return askRefund(amountMinor, state).accepted;
}

function askRefund(amountMinor: string, state: SandboxAccount) {
  const about = { key: 'ref_1', chargeKey: 'pay_1', amount: usd(amountMinor), now };
  return sandboxAccountAggregate.decider.decide({ kind: 'Refund', ...about }, state);
}

function follow(
  decision: ReturnType<typeof sandboxAccountAggregate.decider.decide>,
  state: SandboxAccount,
): SandboxAccount {
  if (!decision.accepted) throw new Error(decision.rejection.code);
  return decision.events.reduce(evolve, state);
}
