import { describe, expect, it } from 'vitest';
import { isQuick } from './event-filter.js';

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
