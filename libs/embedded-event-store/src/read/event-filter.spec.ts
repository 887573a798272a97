import { describe, expect, it } from 'vitest';
import type { EventNames } from '../append/event-names.js';
import { compileFilter, filterEvents, isQuick } from './event-filter.js';

const NAMES = {
  stream: ['a-1', 'ü-1', '$$a-1'],
  type: ['x.one', 'y.two', '$metadata'],
};

function matches(on: 'stream' | 'type', regex: string, prefixes: string[] = []): boolean[] {
  return compileFilter({ on, regex, prefixes, checkpointInterval: 1 })(NAMES[on]);
}

describe('a filter', () => {
  it.each([
    ['stream', '', ['a-'], [true, false, false]],
    ['stream', '', ['ü'], [false, true, false]],
    ['stream', '', ['a-1x'], [false, false, false]],
    ['stream', '', ['b-', '$$'], [false, false, true]],
    ['type', '', ['x.', 'y.'], [true, true, false]],
    ['stream', '^a', [], [true, false, false]],
    ['type', '^[^\\$].*', [], [true, true, false]],
    ['type', '(?i)^X\\.ONE\\Z', [], [true, false, false]],
    ['type', '\\Ax\\-?', [], [true, false, false]],
    ['stream', '^a', ['nothing'], [true, false, false]],
  ] as const)('on the %s with "%s" and prefixes %j', (on, regex, prefixes, expected) => {
    expect(matches(on, regex, [...prefixes])).toEqual(expected);
  });

  it('that is not there wants everything', () => {
    // It asks for no names.
    const names = undefined as unknown as EventNames;
    expect(filterEvents(undefined, names)(4, 6)).toEqual([true, true, true]);
  });

  it.each(['(', '*', 'x'.repeat(5000)])('refuses an expression it can not use', (regex) => {
    expect(() => matches('type', regex)).toThrow('regular expression');
  });

  it('gives up on an expression that takes too long', () => {
    const filter = compileFilter({
      on: 'stream',
      regex: '^(a+)+$',
      prefixes: [],
      checkpointInterval: 1,
    });
    expect(() => filter([`${'a'.repeat(50)}!`])).toThrow('takes too long');
  });
});

describe('an expression is quick', () => {
  it.each([
    '^sl\\.(?:app|plan)-',
    '^sl\\.(?:(?:app|test_clock)-|(?:payment|subscription)-(?:0[0-9a-f]|1[0123])\\.)',
    '^[*+?(]\\*\\(',
    '^(a|b)(c|d)',
  ])('when it repeats nothing and looks from the start: %s', (source) => {
    expect(isQuick(source)).toBe(true);
  });

  it.each([
    ['repeats', '^(a+)+$'],
    ['repeats', '^a{1,9}'],
    ['may leave something out', '^a?b'],
    ['looks ahead', '^(?=a)b'],
    ['looks back', '^(?<!a)b'],
    ['looks everywhere', 'a|b'],
    ['repeats a question mark', '^a?:b'],
    ['hides repetition behind an empty class', '^[](a+)+]'],
    ['can be tried in too many ways', `^${'(?:a|a)'.repeat(40)}b`],
  ])('but not when it %s: %s', (_why, source) => {
    expect(isQuick(source)).toBe(false);
  });
});
