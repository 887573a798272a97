import { describe, expect, it } from 'vitest';
import type { PaymentGateway } from './gateway.js';
import { limitCalls } from './limit-calls.js';

const never = () => new Promise<never>(() => undefined);
const hung: PaymentGateway = {
  keyLifetimeMs: 1,
  knows: (method) => method === 'pm_ok',
  ...{ charge: never, refund: never, findCharge: never, findRefund: never },
};
const charge = {
  ...{ key: 'pay_1', reference: 'sub_1', paymentMethod: 'pm_ok', offSession: false },
  amount: { amountMinor: '999', currency: 'USD' },
};

describe('a gateway that hangs', () => {
  it('is waited for up to the limit, by whatever call: then the outcome is unknown', async () => {
    const gateway = limitCalls(hung, 10);
    const refund = { ...charge, chargeKey: 'pay_1' };
    const calls = [
      gateway.charge(charge),
      gateway.findCharge(charge),
      gateway.refund(refund),
      gateway.findRefund(refund),
    ];
    for (const { status, ...rest } of await Promise.allSettled(calls)) {
      const reason = { code: 'unavailable', retryable: true, message: expect.any(String) };
      expect([status, rest]).toEqual(['rejected', { reason: expect.objectContaining(reason) }]);
    }
  });

  it('says what it knows and for how long, as ever', () => {
    const gateway = limitCalls(hung, 10);
    expect([gateway.knows('pm_ok'), gateway.knows('pm_x'), gateway.keyLifetimeMs]).toEqual([
      ...[true, false, 1],
    ]);
  });

  it('that answers too late, with a fault even, harms no one', async () => {
    const late = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error('late')), 20);
    });
    const gateway = limitCalls({ ...hung, charge: () => late }, 5);
    await expect(gateway.charge(charge)).rejects.toMatchObject({ code: 'unavailable' });
    await late.catch(() => undefined);
  });
});
