import { describe, expect, it } from 'vitest';
import { given } from '../decider/spec-support/given.js';
import { paymentAggregate } from './payment.decide.js';
import type { PaymentEvent } from './payment.events.js';
import { taxedLines } from './spec-support/lines.js';

const { decider } = paymentAggregate;

/** The first period begins with the capture, in the payment as in the subscription (rules/payments 8). */
const CLICK = '2027-01-31T10:00:00.000Z';
const CAPTURE = '2027-01-31T13:00:00.000Z';
const usd = (amountMinor: string) => ({ amountMinor, currency: 'USD' });
const foreseen = { start: CLICK, end: '2027-02-28T10:00:00.000Z' };
const held = { start: CAPTURE, end: '2027-02-28T13:00:00.000Z' };
const method = { paymentMethodSubType: '', issuerBank: '' };
const decline = { reason: 'do_not_honor', declineClass: 'soft', rawDeclineCode: '05' } as const;
const lines = taxedLines(usd('922'), usd('77'), foreseen);

const asked = (number: number, more: object): PaymentEvent => ({
  type: 'payment.requested.v3',
  data: {
    ...{ paymentId: 'pay_1', appId: 'app_1', checkoutLinkId: 'link_1', personal: {}, lines },
    regionCode: 'US',
    ...{ player: '5f2a9c04d1e84b7796ab30c2d4e5f601', amount: usd('999'), paymentMethod: 'pm_ok' },
    purpose: {
      ...{ kind: 'subscription_period', subscriptionId: 'sub_1', attempt: 1 },
      ...{ period: { number, ...foreseen }, ...more },
    },
    requestedAt: CLICK,
  },
});
const first = asked(1, { length: { value: 1, unit: 'month' } });
const captured: PaymentEvent = {
  type: 'payment.captured.v1',
  data: { ...method, capturedAt: CAPTURE },
};

describe('the first payment of a subscription', () => {
  it('covers the time from the capture, at a price that holds since then', () => {
    const { state } = given(decider, first, captured);
    expect(state).toMatchObject({
      purpose: { period: { number: 1, ...held } },
      lines: [
        { kind: 'recurring', covers: held, origin: { lockedAt: CAPTURE }, amount: usd('922') },
        { kind: 'tax', covers: held, origin: { lockedAt: CAPTURE }, amount: usd('77') },
      ],
    });
  });

  it('says what the click foresees until then, and where it is declined', () => {
    const failed: PaymentEvent = {
      type: 'payment.declined.v1',
      data: { ...decline, ...method, failedAt: CAPTURE },
    };
    expect(given(decider, first).state).toMatchObject({ lines });
    expect(given(decider, first, failed).state).toMatchObject({ lines });
  });

  it('is dated once, whatever comes after the capture', () => {
    const again: PaymentEvent = {
      type: 'payment.captured.v1',
      data: { ...method, capturedAt: '2027-02-05T00:00:00.000Z' },
    };
    const once = given(decider, first, captured);
    expect(given(decider, first, captured, again).state).toEqual(once.state);
  });
});

it('the payment of a later period keeps its dates, whenever it is captured', () => {
  expect(given(decider, asked(2, {}), captured).state).toMatchObject({
    ...{ lines, purpose: { period: { number: 2, ...foreseen } } },
  });
});
