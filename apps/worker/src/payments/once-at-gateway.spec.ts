import { describe, expect, it } from 'vitest';
import type { FoundCharge, FoundRefund, GatewayCharge, PaymentGateway } from '#gateway';
import { KEY_MARGIN_MS } from '../limits.js';
import { chargeOnce, refundOnce } from './once-at-gateway.js';

const LIFETIME_MS = 24 * 3_600_000;
const method = { paymentMethodSubType: '', issuerBank: '' };
const captured = { status: 'captured', method } as const;
const charge: GatewayCharge = {
  ...{ key: 'pay_1', reference: 'sub_1', paymentMethod: 'pm_ok', offSession: true },
  amount: { amountMinor: '999', currency: 'USD' },
};
const aged = (ageMs: number) => ({ ageMs, mayBeUsed: false });
const refund = { ...charge, key: 'ref_1', chargeKey: 'pay_1' };

/** A gateway with the test's charges; every key that it is asked for is written down. */
function create(found: FoundCharge, foundRefund: FoundRefund = { status: 'unknown' }) {
  const asked: string[] = [];
  const note = async <T>(what: string, key: string, answer: T) => {
    asked.push(`${what} ${key}`);
    return answer;
  };
  const gateway: PaymentGateway = {
    keyLifetimeMs: LIFETIME_MS,
    knows: () => true,
    charge: ({ key }) => note('charge', key, captured),
    refund: ({ key }) => note('refund', key, { status: 'refunded' }),
    findCharge: ({ key }) => note('find', key, found),
    findRefund: ({ key }) => note('find', key, foundRefund),
  };
  return { gateway, asked };
}

/** Decision 0020: no key is charged again that the gateway may have forgotten. */
describe('a charge', () => {
  it.each([0, LIFETIME_MS - KEY_MARGIN_MS, -KEY_MARGIN_MS])(
    'is asked for under its key while that lives: at the age of %d ms',
    async (ageMs) => {
      const { gateway, asked } = create({ status: 'unknown' });
      expect(await chargeOnce(gateway, charge, aged(ageMs))).toBe(captured);
      expect(asked).toEqual(['charge pay_1']);
    },
  );

  it.each([LIFETIME_MS - KEY_MARGIN_MS + 1, 90 * LIFETIME_MS, -KEY_MARGIN_MS - 1])(
    'is found where the key may have expired, and is not made again: at the age of %d ms',
    async (ageMs) => {
      for (const found of [captured, { status: 'pending' } as const]) {
        const { gateway, asked } = create(found);
        expect(await chargeOnce(gateway, charge, aged(ageMs))).toBe(found);
        expect(asked).toEqual(['find pay_1']);
      }
    },
  );

  it('that may have been asked for before is found, whatever its age', async () => {
    const { gateway, asked } = create(captured);
    expect(await chargeOnce(gateway, charge, { ageMs: 0, mayBeUsed: true })).toBe(captured);
    expect(asked).toEqual(['find pay_1']);
  });

  it('that has never arrived is made, under the same key', async () => {
    const { gateway, asked } = create({ status: 'unknown' });
    expect(await chargeOnce(gateway, charge, aged(LIFETIME_MS))).toBe(captured);
    expect(asked).toEqual(['find pay_1', 'charge pay_1']);
  });

  it('is not made where it cannot be found out what became of it', async () => {
    const { gateway, asked } = create({ status: 'unknown' });
    const away = new Error('out of reach');
    const blind = { ...gateway, findCharge: () => Promise.reject(away) };
    await expect(chargeOnce(blind, charge, aged(LIFETIME_MS))).rejects.toBe(away);
    expect(asked).toEqual([]);
  });
});

describe('a refund', () => {
  it('is asked for under its key while that lives, and found behind it', async () => {
    const young = create({ status: 'unknown' }, { status: 'refunded' });
    await refundOnce(young.gateway, refund, 0);
    expect(young.asked).toEqual(['refund ref_1']);
    const old = create({ status: 'unknown' }, { status: 'refunded' });
    expect(await refundOnce(old.gateway, refund, LIFETIME_MS)).toEqual({ status: 'refunded' });
    expect(old.asked).toEqual(['find ref_1']);
  });

  it('that has never arrived is made, under the same key', async () => {
    const { gateway, asked } = create({ status: 'unknown' });
    expect(await refundOnce(gateway, refund, LIFETIME_MS)).toEqual({ status: 'refunded' });
    expect(asked).toEqual(['find ref_1', 'refund ref_1']);
  });
});
