import { describe, expect, it } from 'vitest';
import { isTelling, sayChange, sayValue } from './state-words.js';

describe('a field in plain words', () => {
  it.each([
    ['status', 'active', 'active'],
    ['price', { amountMinor: '999', currency: 'USD' }, '9.99 USD'],
    ['price', { amountMinor: '999', currency: 'JPY' }, '999 JPY'],
    [
      'price',
      { amountMinor: '9', currency: 'no such' },
      '{"amountMinor":"9","currency":"no such"}',
    ],
    ['createdAt', '2027-01-31T10:00:00.000Z', '2027-01-31 10:00:00Z'],
    ['createdAt', '2027-01-31T10:00:00.120Z', '2027-01-31 10:00:00.120Z'],
    ['cancelAtPeriodEnd', true, 'yes'],
    ['cancelAtPeriodEnd', false, 'no'],
    ['dunning', null, 'none'],
    ['lateCaptures', [], 'none'],
    ['personal', {}, 'none'],
    ['lines', [1], '[1]'],
    ['dunning', undefined, '(absent)'],
    ['regionCode', '', '""'],
    ['name', 'a\u001b[2J', String.raw`"a\u001b[2J"`],
    ['personal.email', 'p1.sealed', '(sealed)'],
    ['attempts[0].personal.ipAddress', 'p1.sealed', '(sealed)'],
    ['stripeKeys.sealedSecretKey', 'v3.sealed', '(sealed)'],
    ['secrets[0].sealed', 'v3.sealed', '(sealed)'],
    ['impersonal', 'seen', 'seen'],
  ])('%s of %j is %j', (field, value, said) => {
    expect(sayValue(field, value)).toBe(said);
  });

  it.each([
    [{ field: 'status', before: 'active', after: 'canceled' }, 'status: active -> canceled'],
    [
      { field: 'canceledAt', before: null, after: '2027-01-31T10:00:00.000Z' },
      'canceledAt: none -> 2027-01-31 10:00:00Z',
    ],
    [{ field: 'planId', before: undefined, after: 'plan_1' }, 'planId: plan_1'],
    [{ field: 'planId', before: 'plan_1', after: undefined }, 'planId: plan_1 -> (absent)'],
  ])('%j is said', (change, said) => {
    expect(sayChange(change)).toBe(said);
  });

  it.each([
    [{ before: undefined, after: null }, false],
    [{ before: undefined, after: [] }, false],
    [{ before: undefined, after: '' }, false],
    [{ before: undefined, after: 0 }, true],
    [{ before: undefined, after: false }, true],
    [{ before: 'x', after: null }, true],
  ])('of the change %j is shown: %j', (change, isShown) => {
    expect(isTelling({ field: 'x', ...change })).toBe(isShown);
  });
});
