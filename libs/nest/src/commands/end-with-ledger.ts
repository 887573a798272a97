import { watchLedger } from '#event-store';
import type { Shutdown } from '#platform';
import type { LedgerConnection } from './ledger.module.js';

/**
 * Ends an HTTP program whose ledger was divided anew, or restored: its memory of streams may have events that are lost,
 * and it would write on them (rules/storage 8, rules/storage 9).
 */
export function endWithLedger(
  { store, identity, log }: Pick<LedgerConnection, 'store' | 'identity' | 'log'>,
  shutdown: Shutdown,
): void {
  watchLedger({ store, identity, signal: shutdown.signal, log }).catch((error: unknown) => {
    log.fatal({ err: error }, 'the program stops');
    void shutdown.stop('it cannot go on').then(() => process.exit(1));
  });
}
