import { describe, expect, it } from 'vitest';
import { InOrder } from './in-order.js';

function takeAll(order: InOrder<string>): string[] {
  const taken: string[] = [];
  for (let next = order.take(); next !== undefined; next = order.take()) taken.push(next);
  return taken;
}

describe('leaves that come in another order', () => {
  it('are given in their own, each as soon as it is the next', () => {
    const order = new InOrder<string>(0, 4);
    order.add(1, 'b');
    expect(takeAll(order)).toEqual([]);
    order.add(0, 'a');
    expect(takeAll(order)).toEqual(['a', 'b']);
    order.add(2, 'c');
    expect(takeAll(order)).toEqual(['c']);
    expect(order.holes).toBe(0);
  });

  it('are passed over where they never come: they are further away than any may be', () => {
    const order = new InOrder<string>(0, 4);
    for (const leaf of [1, 2, 4]) order.add(leaf, `leaf ${leaf}`);
    expect(takeAll(order)).toEqual([]);
    order.add(5, 'leaf 5');
    expect(takeAll(order)).toEqual(['leaf 1', 'leaf 2']);
    order.add(8, 'leaf 8');
    expect(takeAll(order)).toEqual(['leaf 4', 'leaf 5']);
    expect(order.holes).toBe(2);
    order.end(10);
    expect(takeAll(order)).toEqual(['leaf 8']);
    expect(order.holes).toBe(5);
  });

  it('are left out before the first one that is wanted', () => {
    const order = new InOrder<string>(3, 4);
    order.add(2, 'c');
    order.add(3, 'd');
    expect(takeAll(order)).toEqual(['d']);
  });
});
