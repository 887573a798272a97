import { describe, expect, it } from 'vitest';
import { compareClose } from './compare-close.js';

const close = {
  rules: 'rules.v1',
  reports: [
    { name: 'journal.csv', hash: 'aa' },
    { name: 'journal.json', hash: 'bb' },
  ],
  totals: [
    { account: 'assets:bank', currency: 'EUR', debitMinor: '500', creditMinor: '0' },
    { account: 'assets:bank', currency: 'USD', debitMinor: '0', creditMinor: '0' },
  ],
};

describe('a close', () => {
  it('is what its events give', () => {
    expect(compareClose(close, structuredClone(close))).toEqual([]);
  });

  it('has each report and sum named that is not', () => {
    const computed = {
      ...close,
      reports: [{ name: 'journal.csv', hash: 'ab' }],
      totals: [
        { account: 'assets:bank', currency: 'EUR', debitMinor: '500', creditMinor: '1' },
        { account: 'assets:bank', currency: 'USD', debitMinor: '0', creditMinor: '0' },
        { account: 'income:items', currency: 'EUR', debitMinor: '0', creditMinor: '1' },
      ],
    };
    expect(compareClose(close, computed)).toEqual([
      { part: 'journal.csv', closed: 'aa', computed: 'ab' },
      { part: 'journal.json', closed: 'bb', computed: '' },
      {
        ...{ part: 'assets:bank EUR', closed: 'debit 500, credit 0' },
        computed: 'debit 500, credit 1',
      },
      { part: 'income:items EUR', closed: '', computed: 'debit 0, credit 1' },
    ]);
  });
});
