import { SettingRefused } from '#platform';

/** The ledger is in another event store now, and nothing may write to it here any more (decision 0014). */
export class LedgerMovedAway extends SettingRefused {
  /** @param address hosts and ports of the other store. */
  constructor(namespace: string, address: string) {
    super(
      `The ledger "${namespace}" was moved from this event store to ${address}: start its programs with that one ` +
        '(EVENTSTOREDB_URL), or take the move back before any has run there (subledger store copy --switch-back).',
    );
  }
}
