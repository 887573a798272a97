import { expect, it } from 'vitest';
import { createLogger, Fault } from '#platform';
import { LedgerMovedAway } from '../streams/ledger-moved-away.js';
import { StoreExchanged, watchLedger } from './ledger-watch.js';

const IDENTITY = {
  ...{ namespace: 'sl', storeId: 'store_1', partitions: 1, before: null },
  layoutId: 'layout_1',
};
const moved = new LedgerMovedAway('sl', 'cluster:2113');
const away = new Fault('unavailable', 'The store is away.', { retryable: true });

/** Watches a ledger that is found so, one poll after another. @returns the error that ended it. */
async function endAfter(looks: readonly (typeof IDENTITY | Error)[]): Promise<unknown> {
  const left = [...looks];
  const stop = new AbortController();
  const require = async () => {
    const found = left.shift() ?? IDENTITY;
    if (left.length === 0) stop.abort();
    if (found instanceof Error) throw found;
    return found;
  };
  const options = {
    // The part of a ledger's store that a watch asks.
    store: { namespaces: { require } as never },
    identity: IDENTITY,
    signal: stop.signal,
    log: createLogger('ledger-watch', { level: 'silent' }),
  };
  return watchLedger(options, 1).then(
    () => 'stopped',
    (error: unknown) => error,
  );
}

it.each([
  { what: 'was moved to another store', look: moved, end: moved },
  {
    what: 'was divided anew',
    look: { ...IDENTITY, layoutId: 'layout_2' },
    end: new StoreExchanged('layout_1', 'layout_2'),
  },
])('ends a program whose ledger $what', async ({ look, end }) => {
  expect(await endAfter([IDENTITY, look])).toEqual(end);
});

it('goes on while the store is away', async () => {
  expect(await endAfter([away, away, IDENTITY])).toBe('stopped');
});
