import { expect, it } from 'vitest';
import type { CommandExecutor, LiveAggregates } from '#event-store';
import { TaxRatesInUse } from './tax-rates-in-use.js';

/** Rates that memory has, of a stream that may go on with an event that this release cannot read. */
function create(isFrozen: boolean) {
  const live = { get: async () => ({ state: 'of memory', isFrozen }) };
  const load = async () => {
    throw new Error('undecodable');
  };
  const around = [live, { load }] as unknown as [LiveAggregates, CommandExecutor];
  return new TaxRatesInUse(...around);
}

it('tax rates are those of memory', async () => {
  expect(await create(false).load('app_1')).toBe('of memory');
});

it('no tax rates are gone by that a later change, which cannot be read, has taken the place of', async () => {
  await expect(create(true).load('app_1')).rejects.toThrow('undecodable');
});
