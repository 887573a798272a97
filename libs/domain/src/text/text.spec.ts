import { describe, expect, it } from 'vitest';
import { isOneLine, isPlainText } from './index.js';

describe('a line of text', () => {
  it.each(['', 'Gold', 'Zoë 😀', 'שלום\u200F!', 'a\u00A0b', '🏴‍☠️', 'https://a.example/?b=c'])(
    'can be %j',
    (text) => {
      expect([isOneLine(text), isPlainText(text)]).toEqual([true, true]);
    },
  );

  it.each(['\0', '\t', '\n', '\r', '\x1b', '\x7f', '\x80', '\x9f', '\u2028', '\u2029'])(
    'cannot hold %j',
    (character) => {
      expect(isOneLine(`a${character}b`)).toBe(false);
    },
  );

  it.each(['\u202A', '\u202B', '\u202C', '\u202D', '\u202E', '\u2066', '\u2067', '\u2069'])(
    'cannot hold %j, which turns what is beside it around',
    (character) => {
      expect([isOneLine(`a${character}`), isPlainText(`a${character}`)]).toEqual([false, false]);
    },
  );
});

describe('plain text', () => {
  it('has line breaks and tabs, and no other control characters', () => {
    expect(isPlainText('one\r\n\ttwo\u2028three')).toBe(true);
    for (const character of ['\0', '\b', '\x1b', '\x7f', '\x85']) {
      expect(isPlainText(`a${character}b`)).toBe(false);
    }
  });
});
