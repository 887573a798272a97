import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSeal } from '#platform';
import { createChallengeAddresses } from './challenge-addresses.js';

const payment = { appId: 'app_1', paymentId: 'pay_1' };
const URL = 'https://hooks.stripe.example/redirect?client_secret=src_1';

/** Rules/storage 4. */
describe('the address of a challenge', () => {
  const addresses = createChallengeAddresses(createSeal(randomBytes(32)));

  it('is sealed, and opens for its own payment alone', () => {
    const sealed = addresses.seal(payment, URL);
    expect(sealed).not.toContain('stripe');
    expect(addresses.open(payment, sealed)).toBe(URL);
    for (const other of [
      { ...payment, paymentId: 'pay_2' },
      { ...payment, appId: 'app_2' },
    ]) {
      expect(() => addresses.open(other, sealed)).toThrow(/cannot be opened/);
    }
  });

  it('that was not sealed is no address', () => {
    expect(() => addresses.open(payment, `plain:${URL}`)).toThrow(/cannot be opened/);
  });
});
