import { describe, expect, it } from 'vitest';
import type { Difference } from '#gateway';
import { DifferenceList } from './difference-list.js';

const REPORT = { payments: 3, charges: 2, found: 2, unread: [] };
const differences: readonly Difference[] = ['pay_1', 'pay_2'].map((paymentId) => ({
  ...{ paymentId, kind: 'amount_differs', gateway: '1.00 USD', ledger: '2.00 USD' },
}));

/** The text on stdout after each of these differences, and at the end. */
function printed(isJson: boolean, found: readonly Difference[]): string[] {
  let text = '';
  const list = new DifferenceList(isJson, (more) => void (text += more));
  const after = found.map((difference) => {
    list.add(difference);
    return text;
  });
  list.end(REPORT, 'They differ.');
  return [...after, text];
}

describe('the differences that reconciliation prints', () => {
  it('are one JSON document with the report, whatever their number', () => {
    for (const count of [0, 1, 2]) {
      const found = differences.slice(0, count);
      const document: unknown = JSON.parse(printed(true, found).at(-1) ?? '');
      expect(document).toEqual({ ...REPORT, differences: found });
    }
  });

  it.each([true, false])('are printed as they are found (as JSON: %s)', (isJson) => {
    const [first, second, end] = printed(isJson, differences);
    expect(first).toContain('pay_1');
    expect(first).not.toContain('pay_2');
    expect(second?.startsWith(first ?? '-')).toBe(true);
    expect(end?.startsWith(second ?? '-')).toBe(true);
    expect(end?.split('pay_1')).toHaveLength(2);
  });
});
