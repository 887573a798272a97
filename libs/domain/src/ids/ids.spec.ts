import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  deriveCheckoutPaymentId,
  deriveId,
  deriveLateRefundId,
  derivePeriodPaymentId,
  deriveSubscriptionId,
  formatId,
  isId,
  isLateRefundId,
} from './index.js';

const AT = '2026-01-31T10:00:00.000Z';
const ENTROPY = Uint8Array.from({ length: 10 }, (_, index) => index * 20);

describe('an id', () => {
  it('has a prefix, ten characters of time, its bucket and sixteen of entropy', () => {
    expect(formatId('sub', AT, '5f', ENTROPY)).toMatch(
      /^sub_[0-9a-hjkmnp-tv-z]{10}5f[0-9a-hjkmnp-tv-z]{16}$/,
    );
  });

  it('sorts by its time', () => {
    const instants = [
      '1970-01-01T00:00:00.000Z',
      '2026-01-31T10:00:00.000Z',
      '2026-01-31T10:00:00.001Z',
      '2039-12-31T23:59:59.999Z',
    ];
    const ids = instants.map((instant) => formatId('pay', instant, '5f', ENTROPY));
    expect([...ids].sort()).toEqual(ids);
  });

  it('writes the time as a ULID does', () => {
    // The example of the ULID specification: 1469918176385 is 01ARYZ6S41.
    const at = new Date(1_469_918_176_385).toISOString();
    expect(formatId('x', at, '5f', ENTROPY)).toMatch(/^x_01aryz6s41/);
  });

  it.each(['yesterday', '1969-12-31T23:59:59.999Z'])('refuses the instant %s', (at) => {
    expect(() => formatId('sub', at, '5f', ENTROPY)).toThrow(/instant/);
  });
});

describe('a derived id', () => {
  it('is the same for the same cause and instant alone', () => {
    expect(deriveId('pay', AT, '5f', 'cause')).toBe(deriveId('pay', AT, '5f', 'cause'));
    expect(deriveId('pay', AT, '5f', 'cause')).not.toBe(deriveId('pay', AT, '5f', 'other'));
  });

  it('stays what it was: derived ids are stored', () => {
    expect(deriveId('pay', AT, '5f', 'cause')).toBe('pay_01kg9qxg805fd9zf3vcz2q1fb6nq');
  });

  it('has the first bytes of the SHA-256 of its cause, in any script', () => {
    const hash = createHash('sha256').update('länk/日本').digest().subarray(0, 10);
    expect(deriveId('x', AT, '5f', 'länk/日本')).toBe(formatId('x', AT, '5f', hash));
  });

  it('tells attempts, periods and links apart', () => {
    const later = '2026-02-28T10:00:00.000Z';
    const ids = [
      deriveSubscriptionId('cl_1', AT),
      deriveSubscriptionId('cl_2', AT),
      deriveCheckoutPaymentId('cl_1', { attempt: 1, attemptedAt: AT }),
      deriveCheckoutPaymentId('cl_1', { attempt: 2, attemptedAt: AT }),
      deriveCheckoutPaymentId('cl_2', { attempt: 1, attemptedAt: AT }),
      derivePeriodPaymentId('sub_1', { dueAt: AT, attempt: 1 }),
      derivePeriodPaymentId('sub_1', { dueAt: AT, attempt: 2 }),
      derivePeriodPaymentId('sub_1', { dueAt: later, attempt: 1 }),
      derivePeriodPaymentId('sub_2', { dueAt: AT, attempt: 1 }),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    expect(deriveLateRefundId('pay_1')).toBe('pay_1.late');
    expect(deriveLateRefundId('pay_1', 2)).toBe('pay_1.late.2');
  });

  it('knows the refunds by which a payment goes back by itself', () => {
    const late = ['pay_1.late', 'pay_1.late.2'];
    expect(late.map((id) => isLateRefundId(id, 'pay_1'))).toEqual([true, true]);
    const others = ['pay_2.late', 'pay_1.later', 'ref_1'];
    expect(others.map((id) => isLateRefundId(id, 'pay_1'))).toEqual([false, false, false]);
  });
});

describe('isId', () => {
  it('takes every id that was made with the prefix', () => {
    expect(isId('cl', formatId('cl', AT, '5f', ENTROPY))).toBe(true);
    expect(isId('cl', deriveId('cl', '1970-01-01T00:00:00.000Z', '5f', 'cause'))).toBe(true);
  });

  const id = deriveId('cl', AT, '5f', 'cause');
  it.each([
    ['', ''],
    ['another prefix', deriveId('sub', AT, '5f', 'cause')],
    ['one too short', id.slice(0, -1)],
    ['one too long', `${id}0`],
    ['8 kB', `cl_${'0'.repeat(8192)}`],
    ['a zero byte', `${id.slice(0, -1)}\0`],
    ['a line break behind', `${id}\n`],
    ['capitals', id.toUpperCase()],
    ['a letter that no id has', `${id.slice(0, -1)}u`],
  ])('refuses %s', (_, text) => {
    expect(isId('cl', text)).toBe(false);
  });
});
