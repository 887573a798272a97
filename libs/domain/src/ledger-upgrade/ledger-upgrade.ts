import { accept, type Aggregate, type Decision, unknownEvent } from '../decider/index.js';
import type { DomainEvent } from '../event/index.js';

/**
 * Something that is done to a ledger that an older release has written (decision 0095). How far it is stands
 * in the ledger, so that it goes on there after a stop. Completed, it is waited for no longer, and goes on from
 * where it is: the older release may come back (decision 0100).
 */
export type UpgradeAdvanced = DomainEvent<
  'ledger_upgrade.advanced.v1',
  {
    /** The store's division at that time: positions of another one mean nothing. */
    readonly layoutId: string;
    readonly upTo: string;
  }
>;
export type UpgradeCompleted = DomainEvent<'ledger_upgrade.completed.v1', Record<string, never>>;
export type LedgerUpgradeEvent = UpgradeAdvanced | UpgradeCompleted;

export interface LedgerUpgrade {
  readonly isCompleted: boolean;
  /** Where it goes on; null where that is the beginning. */
  readonly at: UpgradeAdvanced['data'] | null;
}

export type LedgerUpgradeCommand =
  | { readonly kind: 'AdvanceUpgrade'; readonly at: UpgradeAdvanced['data'] }
  | { readonly kind: 'CompleteUpgrade' };

/** Folds one event of an upgrade. */
function evolveLedgerUpgrade(state: LedgerUpgrade, event: LedgerUpgradeEvent): LedgerUpgrade {
  switch (event.type) {
    case 'ledger_upgrade.advanced.v1':
      return { ...state, at: event.data };
    case 'ledger_upgrade.completed.v1':
      return { ...state, isCompleted: true };
    default:
      return unknownEvent(state, event);
  }
}

/** Decides for one upgrade: of two processes that do it at once, the one that is further counts. */
function decideLedgerUpgrade(
  command: LedgerUpgradeCommand,
  { isCompleted, at }: LedgerUpgrade,
): Decision<LedgerUpgradeEvent, never> {
  if (command.kind === 'CompleteUpgrade') {
    if (isCompleted) return accept();
    return accept<LedgerUpgradeEvent>({ type: 'ledger_upgrade.completed.v1', data: {} });
  }
  const isBehind = at?.layoutId === command.at.layoutId && at.upTo >= command.at.upTo;
  if (isBehind) return accept();
  return accept<LedgerUpgradeEvent>({ type: 'ledger_upgrade.advanced.v1', data: command.at });
}

/** Its id is the name of the upgrade. */
export const ledgerUpgradeAggregate: Aggregate<
  LedgerUpgrade,
  LedgerUpgradeCommand,
  LedgerUpgradeEvent,
  never
> = {
  category: 'ledger_upgrade',
  decider: {
    initialState: { isCompleted: false, at: null },
    evolve: evolveLedgerUpgrade,
    decide: decideLedgerUpgrade,
  },
};
