import { Fault, type Log, retry, warnSeldom } from '#platform';
import type { LedgerStore } from './ledger-store.js';
import { NAMESPACE_LIMIT_MS, STORE_START_LIMIT_MS } from './limits.js';
import type { NamespaceIdentity } from './namespaces.js';

/**
 * The identity of the namespace that a program was started for. A store that starts together with us may
 * take a moment, and so may `subledger store init` beside us.
 *
 * @param log learns now and then that we wait.
 * @param signal ends the wait.
 * @throws Fault `refused` that lists the namespaces that were opened, where this one was not; or
 *   `unavailable` when the store is out of reach.
 */
export async function requireNamespace(
  store: Pick<LedgerStore, 'namespaces'>,
  log: Log,
  signal: AbortSignal,
): Promise<NamespaceIdentity> {
  const startedAt = performance.now();
  const require = () =>
    store.namespaces.require().catch((error: unknown) => {
      warnSeldom(log, error, 'the event store is not ready for us; it is asked again');
      throw error;
    });
  return retry(require, {
    deadlineMs: STORE_START_LIMIT_MS,
    baseMs: 50,
    capMs: 1_000,
    signal,
    isRetryable: (error) => {
      if (!(error instanceof Fault)) return false;
      return error.retryable || performance.now() - startedAt < NAMESPACE_LIMIT_MS;
    },
  });
}
