import { Fault, type Log, retry, warnSeldom } from '#platform';
import { LedgerMovedAway } from '../../streams/ledger-moved-away.js';
import type { LedgerStore } from '../ledger-store.js';
import { REFUSAL_LIMIT_MS, START_LIMIT_MS } from '../../streams/limits.js';
import type { NamespaceIdentity } from '../../streams/namespace-history.js';
import { requireSupportedVersion } from '../maintenance/inspection.js';

/** How long each kind of failure is taken as one that passes; refusals from the first of them on. */
export interface StartLimits {
  readonly unavailableMs: number;
  readonly refusalMs: number;
}

const START_LIMITS: StartLimits = {
  unavailableMs: START_LIMIT_MS,
  refusalMs: REFUSAL_LIMIT_MS,
};

interface StartingStore extends Pick<
  LedgerStore,
  'headPosition' | 'serverVersion' | 'findSettingProblem'
> {
  readonly namespaces: Pick<LedgerStore['namespaces'], 'require'>;
}

/**
 * The identity of the namespace that a program was started for, from a store that gives it all it needs. A store that
 * starts together with us may take a moment, and so may `subledger store init` beside us.
 *
 * @param log learns now and then that we wait.
 * @param signal ends the wait.
 * @throws SettingRefused where the connection string cannot work, the server is too old, or the ledger was moved to another
 *   store; Fault `refused` that lists the namespaces that were opened, where this one was not; or `unavailable` when the
 *   store is out of reach.
 */
export async function requireNamespace(
  store: StartingStore,
  log: Log,
  signal: AbortSignal,
  limits = START_LIMITS,
): Promise<NamespaceIdentity> {
  let answeredAt: number | undefined;
  const require = () =>
    requireUsable(store).catch((error: unknown) => {
      warnSeldom(log, error, 'the event store is not ready for us; it is asked again');
      throw error;
    });
  return retry(require, {
    deadlineMs: limits.unavailableMs,
    baseMs: 50,
    capMs: 1_000,
    signal,
    isRetryable: (error) => {
      if (!(error instanceof Fault) || error instanceof LedgerMovedAway) return false;
      if (error.retryable) return true;
      // A store that came late makes its users as late, so its own first moments count.
      answeredAt ??= performance.now();
      return performance.now() - answeredAt < limits.refusalMs;
    },
  });
}

async function requireUsable(store: StartingStore): Promise<NamespaceIdentity> {
  try {
    const identity = await store.namespaces.require();
    // A user may read its streams and not `$all`: then nothing would ever come to the loops.
    await store.headPosition();
    requireSupportedVersion(await store.serverVersion());
    return identity;
  } catch (error) {
    throw (await store.findSettingProblem(error)) ?? error;
  }
}
