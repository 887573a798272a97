import { describe, expect, it } from 'vitest';
import { returnAddress } from './return-address.js';

const ADDED = 'checkout=completed&id=co_1';
const address = (returnUrl: string) => returnAddress({ returnUrl, linkId: 'co_1' }, 'completed');

describe('the address that leads back to the game', () => {
  it.each([
    ['https://game.example', `https://game.example?${ADDED}`],
    ['https://game.example/shop', `https://game.example/shop?${ADDED}`],
    ['https://game.example/?', `https://game.example/?${ADDED}`],
    ['https://game.example/?a=1&', `https://game.example/?a=1&${ADDED}`],
    ['https://game.example/#gold', `https://game.example/?${ADDED}#gold`],
    ['https://game.example/?tab=1#a?b#c', `https://game.example/?tab=1&${ADDED}#a?b#c`],
    ['https://game.example/#/shop?id=7', `https://game.example/?${ADDED}#/shop?id=7`],
  ])('has the two parameters behind the query of %s', (url, expected) => {
    expect(address(url)).toBe(expected);
  });

  it.each(['a%20b', 'a+b', 'flag', 'flag=', 'x=%2f', "q='", 'a=1&&a=2', 'n=1;2', 'ü=ß', 'e=%ff'])(
    'keeps what the game wrote byte for byte: ?%s',
    (query) => {
      const url = `https://Game.example:443/a/../b%7e?${query}`;
      expect(address(url)).toBe(`${url}&${ADDED}`);
    },
  );
});
