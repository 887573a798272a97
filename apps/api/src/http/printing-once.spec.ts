import { expect, it } from 'vitest';
import { printingOnce } from './printing-once.js';

it('prints a list once, and another one by itself', () => {
  const printed: string[] = [];
  const print = printingOnce((item: string) => {
    printed.push(item);
    return `<${item}>`;
  });
  const list = ['a', 'b'];
  expect([print(list), print(list), print(['a'])]).toEqual(['<a>,<b>', '<a>,<b>', '<a>']);
  expect(printed).toEqual(['a', 'b', 'a']);
  expect([print([]), print([])]).toEqual(['', '']);
});
