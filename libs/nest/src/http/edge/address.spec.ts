import { describe, expect, it } from 'vitest';
import { addressRefusal } from './address.js';

const LIST = '/sdk/subscriptions?externalAccountId=';

describe('an address', () => {
  it.each([
    '/sdk/plans',
    '/sdk/plans/code/%00',
    `${LIST}Zo%C3%AB&status=active`,
    `${LIST}${encodeURIComponent('😀'.repeat(255))}&limit=100&pageToken=${'x'.repeat(1024)}`,
  ])('can be %.60s', (address) => {
    expect(addressRefusal(address)).toBeUndefined();
  });

  it.each([
    [`${LIST}%ff`, 400],
    [`${LIST}Zo%EB`, 400],
    [`${LIST}%ED%A0%80`, 400],
    [`${LIST}%C0%AF`, 400],
    [`${LIST}100%`, 400],
    [`${LIST}%u0041`, 400],
    // Node hands bytes beyond ASCII over as Latin-1.
    [`${LIST}Zo\u00c3\u00ab`, 400],
    ['/sdk/plans/code/\u00eb', 400],
    [`/sdk/plans/${'x'.repeat(8192)}`, 414],
  ])('cannot be %.60s', (address, http) => {
    expect(addressRefusal(address)).toMatchObject({ http });
  });

  it.each([
    ['/sdk/plans?status=%ff', ['status']],
    ['/sdk/plans?a=1&b=%ff&c=100%', ['b', 'c']],
    ['/sdk/plans?%ff=1', ['%ff']],
    ['/sdk/plans/%ff?status=%C0', ['path', 'status']],
  ])('names what of it cannot be read: %s', (address, fields) => {
    const { fieldViolations = [] } = addressRefusal(address) ?? {};
    expect(fieldViolations.map(({ field }) => field)).toEqual(fields);
  });
});
