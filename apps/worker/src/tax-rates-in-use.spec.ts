import { expect, it } from '@jest/globals';
import type { CommandExecutor } from '#event-store';
import { TaxRatesInUse } from './tax-rates-in-use.js';

/** Rates of which each reading tells how often they were read; the readings of `away` fail. */
function create() {
  const read: string[] = [];
  const load = async (_: unknown, appId: string) => {
    read.push(appId);
    if (appId === 'away') throw new Error('the store is away');
    return { state: read.length };
  };
  const commands = { load } as unknown as Pick<CommandExecutor, 'load'>;
  return { rates: new TaxRatesInUse(commands), read };
}

it('tax rates are read once, until a change of them goes by', async () => {
  const { rates, read } = create();
  expect(await Promise.all([rates.load('app_1'), rates.load('app_1')])).toEqual([1, 1]);
  rates.note([{ streamName: 'tax_rates-app_2' }, { streamName: 'subscription-app_1' }]);
  expect(await rates.load('app_1')).toBe(1);
  rates.note([{ streamName: 'tax_rates-app_1' }]);
  expect(await rates.load('app_1')).toBe(2);
  expect(read).toEqual(['app_1', 'app_1']);
});

it('a change that goes by while they are read has them read again', async () => {
  const { rates } = create();
  const reading = rates.load('app_1');
  rates.note([{ streamName: 'tax_rates-app_1' }]);
  expect(await Promise.all([reading, rates.load('app_1')])).toEqual([1, 2]);
});

it('nothing is kept where the store is away, and where following has begun anew', async () => {
  const { rates, read } = create();
  await expect(rates.load('away')).rejects.toThrow('away');
  await expect(rates.load('away')).rejects.toThrow('away');
  await rates.load('app_1');
  rates.forget();
  await rates.load('app_1');
  expect(read).toEqual(['away', 'away', 'app_1', 'app_1']);
});
