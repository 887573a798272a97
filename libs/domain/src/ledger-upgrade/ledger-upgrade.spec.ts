import { describe, expect, it } from '@jest/globals';
import { given } from '../decider/spec-support/given.js';
import { ledgerUpgradeAggregate, type LedgerUpgradeEvent } from './index.js';

const { decider } = ledgerUpgradeAggregate;
const at = (upTo: string, layoutId = 'store.0') => ({ layoutId, upTo });
const advanced = (upTo: string, layoutId?: string): LedgerUpgradeEvent => ({
  type: 'ledger_upgrade.advanced.v1',
  data: at(upTo, layoutId),
});
const completed: LedgerUpgradeEvent = { type: 'ledger_upgrade.completed.v1', data: {} };

describe('an upgrade of a ledger', () => {
  it('goes on from where any process has come', () => {
    expect(given(decider).when({ kind: 'AdvanceUpgrade', at: at('5') })).toEqual([advanced('5')]);
    const known = given(decider, advanced('5'));
    expect(known.state).toEqual({ isCompleted: false, at: at('5') });
    expect(known.when({ kind: 'AdvanceUpgrade', at: at('5') })).toEqual([]);
    expect(known.when({ kind: 'AdvanceUpgrade', at: at('4') })).toEqual([]);
    expect(known.when({ kind: 'AdvanceUpgrade', at: at('6') })).toEqual([advanced('6')]);
  });

  it('begins anew where the store was divided anew: positions may be those of another store', () => {
    const moved = { kind: 'AdvanceUpgrade', at: at('1', 'store.1') } as const;
    expect(given(decider, advanced('5')).when(moved)).toEqual([advanced('1', 'store.1')]);
  });

  it('is completed once', () => {
    expect(given(decider, advanced('5')).when({ kind: 'CompleteUpgrade' })).toEqual([completed]);
    const over = given(decider, advanced('5'), completed);
    expect(over.when({ kind: 'CompleteUpgrade' })).toEqual([]);
  });

  it('keeps how far it came when it is completed, and is taken further: an older release may write again', () => {
    const over = given(decider, advanced('5'), completed);
    expect(over.state).toEqual({ isCompleted: true, at: at('5') });
    expect(over.when({ kind: 'AdvanceUpgrade', at: at('5') })).toEqual([]);
    expect(over.when({ kind: 'AdvanceUpgrade', at: at('6') })).toEqual([advanced('6')]);
    expect(given(decider, completed, advanced('6')).state).toEqual({
      isCompleted: true,
      at: at('6'),
    });
  });

  it('stays as it is at an event that a newer release has written', () => {
    const newer = { type: 'ledger_upgrade.undone.v1', data: {} } as unknown as LedgerUpgradeEvent;
    expect(given(decider, completed, newer).state.isCompleted).toBe(true);
  });
});
