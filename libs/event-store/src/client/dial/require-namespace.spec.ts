import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createLogger, Fault, SettingRefused } from '#platform';
import { LedgerMovedAway } from '../../streams/ledger-moved-away.js';
import { requireNamespace } from './require-namespace.js';

const LIMIT_MS = 20;
const LIMITS = { unavailableMs: 60_000, refusalMs: LIMIT_MS };
const IDENTITY = {
  ...{ namespace: 'sl', storeId: 'store_1', partitions: 1, before: null },
  layoutId: 'layout_1',
};
const log = createLogger('require-namespace', { level: 'silent' });

const away = new Fault('unavailable', 'The store is away.', { retryable: true });
const refused = new SettingRefused('The store refuses the password.');
const notOpened = new Fault('refused', 'Not opened.', { retryable: false });

/** A start at a store that answers with these errors, each a little later than the limit, and is usable then. */
function startAfter(errors: readonly Fault[]) {
  const left = [...errors];
  const require = async () => {
    const error = left.shift();
    if (error === undefined) return IDENTITY;
    await pause(LIMIT_MS + 1);
    throw error;
  };
  const store = {
    namespaces: { require },
    headPosition: async () => '',
    serverVersion: async () => '23.10.8',
    findSettingProblem: async () => undefined,
  };
  return requireNamespace(store, log, new AbortController().signal, LIMITS);
}

it.each([{ error: refused }, { error: notOpened }])(
  'waits for a store that has just come, however long it was away, though it says: $error.message',
  async ({ error }) => {
    expect(await startAfter([away, away, error])).toEqual(IDENTITY);
  },
);

it.each([{ error: refused }, { error: notOpened }])(
  'believes a store that says it for longer than a new one needs: $error.message',
  async ({ error }) => {
    await expect(startAfter([away, error, error])).rejects.toBe(error);
  },
);

it('does not wait for a ledger that has gone to another store', async () => {
  const moved = new LedgerMovedAway('sl', 'cluster:2113');
  await expect(startAfter([moved])).rejects.toBe(moved);
});

it('gives a store that was away in between no more time', async () => {
  await expect(startAfter([refused, away, refused])).rejects.toBe(refused);
});
