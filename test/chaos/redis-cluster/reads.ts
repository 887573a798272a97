import { eventually } from '../../support/eventually.js';
import type { LedgerOnRedis } from './ledger-on-redis.js';

/** Resolves when every partition answers with the store's events of the call's moment. */
export async function untilReadsAnswer(
  { store, readModels }: LedgerOnRedis,
  limitMs: number,
): Promise<void> {
  // The store answers whatever Redis does.
  const position = await store.headPosition();
  const answer = () =>
    readModels.waitFor(position, { timeoutMs: limitMs }).then(
      () => true,
      () => false,
    );
  await eventually(answer, { limitMs, what: 'the reads of all partitions' });
}
