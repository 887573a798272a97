import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../policy.js';
import { makeCharge, START } from '../spec-support/charges.js';
import { PaymentLedger } from '../spec-support/ledger.js';
import { findCapturedLine } from './captured-line.js';

const POLICY = {
  ...DEFAULT_POLICY,
  itemClasses: [{ match: { prefix: 'skin' }, name: 'durable', lifeDays: 90 }],
};

describe('an entry of a capture', () => {
  it.each(['period', 'change', 'order'] as const)('of a charge for %s has its line', (kind) => {
    const ledger = new PaymentLedger(POLICY);
    const sums = { first: 2_000n, second: 1_100n, tax: 589n };
    ledger.charge(makeCharge({ kind, ...sums, days: 31, currency: 'EUR' }), START);
    ledger.capture(START);
    const [clearing, ...others] = ledger.rows;
    expect(clearing && findCapturedLine(ledger.payment, clearing, POLICY)).toBeNull();
    const lines = others.map((row) => findCapturedLine(ledger.payment, row, POLICY));
    expect(lines).toEqual(ledger.payment.lines);
  });
});
