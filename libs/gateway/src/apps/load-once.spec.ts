import { expect, it } from 'vitest';
import { loadOnce } from './load-once.js';

it('loads once, however many ask, and again after a load that failed', async () => {
  let loads = 0;
  const load = loadOnce(async () => {
    loads += 1;
    if (loads === 1) throw new Error('too many open files');
    return loads;
  });
  await expect(Promise.all([load(), load()])).rejects.toThrow('too many open files');
  expect(await Promise.all([load(), load()])).toEqual([2, 2]);
});
