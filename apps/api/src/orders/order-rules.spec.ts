import { expect, it } from 'vitest';
import { paymentLinkViolations } from './order-rules.js';

/** The refusal of a price beside a currency; that is undefined where it was refused itself. */
function refusal(price: string, currency: string | undefined): readonly string[] {
  const item = { id: 'gems', name: 'Gems', quantity: 1, price };
  const body = { items: [item], user: { id: 'player-1' }, ...(currency && { currency }) };
  const found = paymentLinkViolations(body, 'production');
  return found.map(({ field, description }) => `${field} ${description}`);
}

it.each(['x', '-1', '1,00', '01', '1e3', '.5', '1.', '1234567890123', '1.00000'])(
  'a price that is good in no currency is named beside a bad currency: %s',
  (price) => {
    expect(refusal(price, undefined)).toEqual([
      'items.0.price must be a decimal string such as "4.99", of at most 12 digits before the point',
    ]);
    expect(refusal(price, 'USD')).toHaveLength(1);
  },
);

it.each(['0', '4.99', '980', '1.2345'])(
  'a price that is good in some currency is not: %s',
  (price) => {
    expect(refusal(price, undefined)).toEqual([]);
  },
);
