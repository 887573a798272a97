import { describe, expect, it } from '@jest/globals';
import { listNodeFlags } from '../../../../apps/standalone/src/node-flags.js';
import { endStartPatience } from './start-patience.js';

/** What is set of V8 once a program with these flags is ready. */
function flagsSet(startFlags: readonly string[]): string[] {
  const set: string[] = [];
  endStartPatience(startFlags, (flag) => set.push(flag));
  return set;
}

const budget = (flags: readonly string[]): number =>
  Number(flags.find((flag) => flag.startsWith('--interrupt-budget='))?.split('=')[1]);

describe('the patience of V8 at a start (decision 0189)', () => {
  it.each(['api', 'storefront'])('is over once the %s is ready', (program) => {
    const start = listNodeFlags(program);
    const atWork = flagsSet(start);
    expect(atWork).toHaveLength(1);
    expect(budget(atWork)).toBeLessThan(budget(start) / 4);
  });

  it("leaves V8's own to programs that were started with it", () => {
    expect(flagsSet(listNodeFlags('worker'))).toEqual([]);
  });
});
