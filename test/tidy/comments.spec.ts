import { describe, expect, it } from 'vitest';
import { isHeadless, listSentences } from './comments.js';
import { readSources } from './sources.js';

/**
 * Sentences of comments in which a clause headed by "what", "who" or "where" stands in the place of a noun: it is a
 * riddle where a noun says it. The number only goes down.
 */
const MOST_HEADLESS = 0;

describe('comments', () => {
  it('have few clauses in the place of a noun', () => {
    const written = readSources().filter(({ file }) => !file.startsWith('docs/'));
    const headless = written.flatMap((source) =>
      listSentences(source)
        .filter(isHeadless)
        .map((sentence) => `${source.file}: ${sentence}`),
    );
    expect(headless.length > MOST_HEADLESS ? headless : []).toEqual([]);
  });

  it.each([
    'What is lost begins again from the store.',
    'The log says what failed.',
    'A copy of what the link sells.',
    'The bound by what a store takes.',
    'Compares the books with what came.',
    '@returns what ends the call.',
    '@param state what the store has.',
    'Who holds the lease.',
    '@returns who holds the lease.',
    'The actor says who did it.',
    'Where the player is.',
    'Where the API is, and who asks.',
    'The position of where the feed went on.',
    'The page tells where the card is entered.',
  ])('count %j', (sentence) => {
    expect(isHeadless(sentence)).toBe(true);
  });

  it.each([
    'The stream that the player has.',
    'The player who owns the cart.',
    'Those who wait share the call.',
    'Whatever came meanwhile, and whoever asks.',
    'Where there is no catalog, the page is empty.',
    'Where memory knows the caller: no question to the store.',
    'The lease; null where there is none.',
    '`START` where there is no event.',
    'A partition where nothing happens.',
    'What is left?',
    'Says "what" of `what` and \'who\'.',
    '@param what',
  ])('do not count %j', (sentence) => {
    expect(isHeadless(sentence)).toBe(false);
  });

  it.each([
    [
      'a.ts',
      '/** One. Two\n * three (rules/api 1). */\nconst url = "http://a";',
      ['One.', 'Two three (rules/api 1).'],
    ],
    ['a.tsx', 'call(); // One\n  // two.\n{/* Three. */}', ['One two.', 'Three.']],
    [
      'a.mjs',
      "/**\n * One\n *\n * - two\n * @returns three.\n */\nconst glob = 'a/**/b';",
      ['One', '- two', '@returns three.'],
    ],
    ['a.lua', '-- One\n-- two.\nlocal a = 1', ['One two.']],
    ['b.lua', '--[[\n  One.\n  Two.\n]]\nlocal a = 1', ['One.', 'Two.']],
    ['a.sh', '#!/bin/sh\n# One.\necho a', ['One.']],
    ['a.md', '// One.', []],
  ])('of %s are read as sentences', (file, text, sentences) => {
    expect(listSentences({ file, text })).toEqual(sentences);
  });
});
