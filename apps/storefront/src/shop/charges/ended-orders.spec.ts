import { describe, expect, it } from 'vitest';
import { addMilliseconds } from '#domain/calendar';
import type { Order } from '#domain/order';
import { countsNoMore } from './ended-orders.js';

const AT = '2027-01-31T10:00:00.000Z';
const charge = { requestedAt: AT };
const later = (ms: number) => addMilliseconds(AT, ms);

/** An order as far as it matters here, after an attempt with this outcome; null before there is one. */
function order(status: string, outcome: 'none' | 'declined' | 'captured' | null): Order {
  const attempt = {
    ...{ attemptedAt: AT, challenge: null },
    decline: outcome === 'declined' ? {} : null,
    capturedAt: outcome === 'captured' ? AT : null,
  };
  const attempts = outcome === null ? [] : [attempt];
  const paidAt = outcome === 'captured' ? AT : null;
  return { status, attempts, paidAt } as unknown as Order;
}

/** rules/webshop 5 */
describe('the items of an order that is charged for', () => {
  it.each([
    ['no outcome yet', order('OPEN', 'none'), later(7_200_000), false],
    ['been paid ten minutes ago', order('PAID', 'captured'), later(600_000), true],
    ['been paid less than ten minutes ago', order('PAID', 'captured'), later(599_999), false],
    ['been refunded less than ten minutes ago', order('REFUNDED', 'captured'), AT, false],
    ['been declined', order('OPEN', 'declined'), AT, true],
    ['been canceled', order('CANCELED', 'declined'), AT, true],
    ['been attempted a moment later', order('OPEN', null), later(29_999), false],
    ['never been attempted', order('OPEN', null), later(30_000), true],
    ['never been made', { status: 'none' }, AT, true],
  ] as const)('of one that has %s', (_what, state, now, isOver) => {
    expect(countsNoMore(state, charge, now)).toBe(isOver);
  });
});
