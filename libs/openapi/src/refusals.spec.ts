import { describe, expect, it } from 'vitest';
import { DocumentedRefusals } from './refusals.js';

const CHANGE = { isRead: false, isOfApp: true, credentials: [] };

/** Every reason that an operation declares is a reason of some error (decision 0018). */
describe('the reasons that an operation declares', () => {
  const refusals = new DocumentedRefusals({
    refusals: { everywhere: ['INTERNAL'] },
    groups: {},
    reasons: { CART_EMPTY: { status: 'FAILED_PRECONDITION', message: 'The cart is empty.' } },
  });

  it.each([
    ['CART_EMPTY', '400'],
    ['GATEWAY_NOT_CONFIGURED', '400'],
    ['PLAN_CODE_TAKEN', '409'],
    ['PLAYER_ERASED', '400'],
    ['webhook_endpoint/player_erased', '410'],
    ['CHECKOUT_LINK_NOT_FOUND', '404'],
  ])('have the status of their error: %s with %s', (reason, status) => {
    const responses = refusals.responses({ ...CHANGE, refuses: [reason] });
    expect(Object.keys(responses).sort()).toEqual([...new Set(['400', '500', status])].sort());
  });

  it('are refused where no error has them', () => {
    expect(() => refusals.responses({ ...CHANGE, refuses: ['PLAN_GONE'] })).toThrow('PLAN_GONE');
  });
});
