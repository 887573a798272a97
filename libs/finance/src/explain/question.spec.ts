import { expect, it } from 'vitest';
import { readExplainable } from './question.js';

const EVENT = '00000000-0000-4000-8000-000000000000';

it('tells an entry, a payment, a subscription and a figure apart', () => {
  for (const id of [`${EVENT}#1`, `${EVENT}#12/2026-01`]) {
    expect(readExplainable(id)).toEqual({ kind: 'entry', id });
  }
  expect(readExplainable('pay_1')).toEqual({ kind: 'payment', id: 'pay_1' });
  expect(readExplainable('sub_1')).toEqual({ kind: 'subscription', id: 'sub_1' });
  expect(readExplainable('liabilities:tax-payable:DE 2026-01')).toEqual({
    ...{ kind: 'figure', account: 'liabilities:tax-payable:DE', period: '2026-01' },
  });
});

const BAD = ['income:items', 'items 2026-01', 'income:items 2026-13', 'ord_1'];
it.each(['', EVENT, `${EVENT}#`, `${EVENT}#1/2026`, ...BAD])('knows no %j', (text) => {
  expect(readExplainable(text)).toBeUndefined();
});
