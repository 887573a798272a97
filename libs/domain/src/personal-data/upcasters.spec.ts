import { describe, expect, it } from '@jest/globals';
import { PERSONAL_DATA_UPCASTERS } from './upcasters.js';

const upcast = (data: unknown) => PERSONAL_DATA_UPCASTERS.map((each) => each.upcast(data));

describe('an event that holds personal data in plain text', () => {
  it('is read as one that holds them marked as plain, with all else as it was', () => {
    const stored = {
      ...{ paymentId: 'pay_1', externalAccountId: 'player-1', referenceId: 'order-7' },
      metadata: { campaign: 'launch' },
    };
    const read = {
      paymentId: 'pay_1',
      personal: {
        ...{ accountId: 'plain:player-1', referenceId: 'plain:order-7' },
        metadata: 'plain:{"campaign":"launch"}',
      },
    };
    expect(upcast(stored)).toEqual([read, read, read]);
  });

  it('has no text where there was none', () => {
    const stored = { externalAccountId: 'player-1', referenceId: '', metadata: {} };
    const read = { personal: { accountId: 'plain:player-1' } };
    expect(upcast(stored)).toEqual([read, read, read]);
    const { referenceId: _, ...ofPayment } = stored;
    expect(upcast(ofPayment)).toEqual([read, read, read]);
  });

  it('leads to the next version of its type', () => {
    expect(PERSONAL_DATA_UPCASTERS.map(({ from, to }) => [from, to])).toEqual([
      ['checkout_link.created.v1', 'checkout_link.created.v2'],
      ['payment.requested.v1', 'payment.requested.v2'],
      ['subscription.created.v1', 'subscription.created.v2'],
    ]);
  });
});
