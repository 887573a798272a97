import { type Log, sleepUnlessAborted, warnSeldom } from '#platform';
import type { LedgerStore } from '../client/ledger-store.js';
import { LedgerMovedAway } from '../streams/ledger-moved-away.js';
import { LEDGER_POLL_MS } from '../streams/limits.js';
import type { NamespaceIdentity } from '../streams/namespace-history.js';

interface LedgerWatchOptions {
  readonly store: Pick<LedgerStore, 'namespaces'>;
  /** The identity of the ledger by `requireNamespace` at the start. */
  readonly identity: Pick<NamespaceIdentity, 'layoutId'>;
  readonly signal: AbortSignal;
  readonly log: Log;
}

/**
 * Looks whether the ledger is still the one that this process began with, and divided as it was then
 * (rules/storage 8).
 *
 * @throws StoreExchanged when it is not; LedgerMovedAway; Fault of the store.
 */
export async function requireSameLedger(
  store: LedgerWatchOptions['store'],
  { layoutId: known }: LedgerWatchOptions['identity'],
): Promise<void> {
  const { layoutId } = await store.namespaces.require();
  if (layoutId !== known) throw new StoreExchanged(known, layoutId);
}

/**
 * Looks now and then, for programs whose subscriptions go on as if nothing had happened.
 *
 * @returns when the signal is aborted. @throws StoreExchanged; LedgerMovedAway.
 */
export async function watchLedger(
  options: LedgerWatchOptions,
  lookMs = LEDGER_POLL_MS,
): Promise<void> {
  const { store, identity, signal, log } = options;
  while (await sleepUnlessAborted(lookMs, signal)) {
    try {
      await requireSameLedger(store, identity);
    } catch (error) {
      if (error instanceof StoreExchanged || error instanceof LedgerMovedAway) throw error;
      warnSeldom(log, error, 'the event store could not be asked how the ledger is divided');
    }
  }
}

/** Another event store stands at our address, or the ledger was divided anew: our state is not about it. */
export class StoreExchanged extends Error {
  constructor(known: string, found: string) {
    super(
      `the ledger is another one now, or divided anew (${found}, at our start ${known}): start again`,
    );
    this.name = 'StoreExchanged';
  }
}
