import { describe, expect, it } from 'vitest';
import { balanceGate, parkedGate, reconciliationGate } from './gates.js';

const total = (currency: string, debitMinor: string, creditMinor: string) => ({
  ...{ account: 'assets:bank', currency, debitMinor, creditMinor },
});

describe('a gate of a close', () => {
  it('is open where nothing is parked, different or out of balance', () => {
    expect(parkedGate([])).toEqual([]);
    expect(reconciliationGate([])).toEqual([]);
    expect(balanceGate({ totals: [] })).toEqual([]);
    const totals = [total('EUR', '500', '0'), total('EUR', '0', '500')];
    expect(balanceGate({ totals })).toEqual([]);
  });

  it('names the streams that are parked, and what to do', () => {
    const [shut] = parkedGate(['payment-pay_1']);
    expect(shut?.message).toBe(
      '1 stream of the app is parked (payment-pay_1): see why with "subledger parked list", mend that, and type "subledger parked retry".',
    );
  });

  it('names each difference with its reason, the first twenty of many', () => {
    const many = Array.from({ length: 22 }, (_, at) => ({ row: `txn_${at}`, why: 'unknown' }));
    const [shut] = reconciliationGate(many);
    expect(shut?.message).toContain('22 differences with the gateway or its payouts are open');
    expect(shut?.message).toContain('txn_0: unknown');
    expect(shut?.message).toContain('txn_19: unknown, and 2 more)');
    expect(shut?.message).toContain('finance accept ROW');
  });

  it('is shut where debits and credits of one currency differ, whatever the others are', () => {
    const totals = [total('EUR', '500', '499'), total('JPY', '7', '7')];
    const [shut, ...others] = balanceGate({ totals });
    expect(others).toEqual([]);
    expect(shut).toMatchObject({ gate: 'balance' });
    expect(shut?.message).toContain('(EUR by 1 minor units)');
  });
});
