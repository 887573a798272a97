import { expect, it } from 'vitest';
import { parseQuestion } from './question.js';

const EVENT = '00000000-0000-4000-8000-000000000000';

it('tells an entry, a payment, a subscription and a figure apart', () => {
  for (const id of [`${EVENT}#1`, `${EVENT}#12/2026-01`]) {
    expect(parseQuestion(id)).toEqual({ kind: 'entry', id });
  }
  expect(parseQuestion('pay_1')).toEqual({ kind: 'payment', id: 'pay_1' });
  expect(parseQuestion('sub_1')).toEqual({ kind: 'subscription', id: 'sub_1' });
  expect(parseQuestion('liabilities:tax-payable:DE 2026-01')).toEqual({
    ...{ kind: 'figure', account: 'liabilities:tax-payable:DE', period: '2026-01' },
  });
});

it.each(['', EVENT, `${EVENT}#`, `${EVENT}#1/2026`, 'income:items', 'items 2026-01', 'ord_1'])(
  'refuses %j with the forms that there are',
  (text) => {
    expect(() => parseQuestion(text)).toThrow('is none of');
  },
);

it('refuses a figure of no month', () => {
  expect(() => parseQuestion('income:items 2026-13')).toThrow('must be a month');
});
