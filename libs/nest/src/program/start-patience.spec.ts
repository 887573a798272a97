import { describe, expect, it } from '@jest/globals';
import { endStartPatience } from './start-patience.js';

/** What is set of V8 once a program with these flags is ready. */
function flagsSet(startFlags: readonly string[]): string[] {
  const set: string[] = [];
  endStartPatience(startFlags, (flag) => set.push(flag));
  return set;
}

describe('the patience of V8 at a start (decision 0189)', () => {
  it('is over once the program is ready', () => {
    const start = ['--max-semi-space-size=32', '--interrupt-budget=270336'];
    expect(flagsSet(start)).toEqual(['--interrupt-budget=33792']);
  });

  it("leaves V8's own to programs that were started with it", () => {
    expect(flagsSet(['--max-semi-space-size=32'])).toEqual([]);
  });
});
