import { describe, expect, it } from 'vitest';
import { streamsOfId } from './stream-names.js';

describe('an id in place of the name of a stream', () => {
  it.each([
    ['sub_01', ['subscription-sub_01']],
    ['pay_01', ['payment-pay_01']],
    ['cl_01', ['checkout_link-cl_01']],
    ['subscription-sub_01', []],
    ['constructor_1', []],
    ['', []],
  ])('%j is of %j', (text, names) => {
    expect(streamsOfId(text)).toEqual(names);
  });

  it('of an app is of several streams', () => {
    expect(streamsOfId('app_01')).toContain('price_sheet-app_01');
  });
});
