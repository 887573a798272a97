import { describe, expect, it } from 'vitest';
import { findChanges, listFields } from './state-changes.js';

const PRICE = { amountMinor: '999', currency: 'USD' };

describe('the changes between two states', () => {
  it('are the fields that differ, with both values, and no other field', () => {
    const before = { status: 'active', planId: 'plan_1', cancelAtPeriodEnd: false };
    const after = { status: 'canceled', planId: 'plan_1', cancelAtPeriodEnd: true };
    expect(findChanges(before, after)).toEqual([
      { field: 'status', before: 'active', after: 'canceled' },
      { field: 'cancelAtPeriodEnd', before: false, after: true },
    ]);
  });

  it('name a part by its path, and an amount of money as one field', () => {
    const before = { dunning: { failedAttempts: 1 }, lines: [{ amount: PRICE }], price: PRICE };
    const other = { amountMinor: '1', currency: 'USD' };
    const after = {
      dunning: { failedAttempts: 2 },
      lines: [{ amount: other }],
      price: { ...PRICE },
    };
    expect(findChanges(before, after)).toEqual([
      { field: 'dunning.failedAttempts', before: 1, after: 2 },
      { field: 'lines[0].amount', before: PRICE, after: other },
    ]);
  });

  it.each([
    ['a part that came', { a: null }, { a: { b: 1 } }, [{ field: 'a.b', before: null, after: 1 }]],
    ['a part that went', { a: { b: 1 } }, { a: null }, [{ field: 'a.b', before: 1, after: null }]],
    ['a new field', {}, { a: { b: 1 } }, [{ field: 'a.b', before: undefined, after: 1 }]],
    ['an item more', { a: [1] }, { a: [1, 2] }, [{ field: 'a[1]', before: undefined, after: 2 }]],
    ['an empty list', { a: null }, { a: [] }, [{ field: 'a', before: null, after: [] }]],
    [
      'a part of nulls',
      { a: null },
      { a: { b: null } },
      [{ field: 'a', before: null, after: { b: null } }],
    ],
    ['null and absent', { a: null }, {}, [{ field: 'a', before: null, after: undefined }]],
    [
      'a text for a part',
      { a: { b: 1 } },
      { a: 'x' },
      [{ field: 'a', before: { b: 1 }, after: 'x' }],
    ],
    [
      'a list for a part',
      { a: { 0: 1 } },
      { a: [1] },
      [{ field: 'a', before: { 0: 1 }, after: [1] }],
    ],
    ['a field without a value', { a: undefined }, {}, []],
    ['equal lists', { a: [{ b: [] }] }, { a: [{ b: [] }] }, []],
  ])('of %s', (_, before, after, changes) => {
    expect(findChanges(before, after)).toEqual(changes);
  });

  it('list the fields of a whole state', () => {
    const state = {
      status: 'active',
      price: PRICE,
      dunning: null,
      claims: [],
      period: { value: 1 },
    };
    expect(listFields(state)).toEqual([
      { field: 'status', value: 'active' },
      { field: 'price', value: PRICE },
      { field: 'dunning', value: null },
      { field: 'claims', value: [] },
      { field: 'period.value', value: 1 },
    ]);
  });
});
