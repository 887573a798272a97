import { describe, expect, it } from 'vitest';
import { SELECTORS, WEBHOOK_TYPES } from './webhook-types.js';

describe('a selector of an endpoint', () => {
  it.each(['*', 'v1', 'v2', 'subscription.*', 'payment.*', 'dispute.*', ...WEBHOOK_TYPES])(
    '%s is known',
    (selector) => {
      expect(SELECTORS.includes(selector)).toBe(true);
    },
  );

  it.each([
    'subscription.updated',
    'dispute.opened',
    'dispute.closed',
    'PURCHASE_SUCCEEDED',
    'LOYALTY_MILESTONE_CLAIMED',
  ])('%s can be asked for before it is sent', (type) => {
    expect(SELECTORS).toContain(type);
  });

  it.each([
    '',
    '.*',
    '**',
    'sub*',
    'subscription',
    'subscription.',
    'subscription.paid',
    'cart.*',
    'ledger.*',
    'v3',
  ])('"%s" is not known', (selector) => {
    expect(SELECTORS.includes(selector)).toBe(false);
  });

  it('is there once', () => {
    expect(new Set(SELECTORS).size).toBe(SELECTORS.length);
  });
});
