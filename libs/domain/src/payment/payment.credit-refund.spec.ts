import { describe, expect, it } from 'vitest';
import { given } from '../decider/spec-support/given.js';
import { paymentAggregate } from './payment.decide.js';
import type { PaymentEvent } from './payment.events.js';
import type { RefundUnusedCredit } from './payment.credit-refund.js';
import { periodCharge } from './spec-support/period-charge.js';

const { decider } = paymentAggregate;

/** Unused time of a change goes back as any refund does, or fails for good (rules/payments 20). */
const T0 = '2027-01-31T10:00:00.000Z';
const T1 = '2027-02-03T08:00:00.000Z';
const REFUND = 'pay_1.unused.3';
const usd = (amountMinor: string) => ({ amountMinor, currency: 'USD' });
const charge = periodCharge({ subscriptionId: 'sub_1', amount: usd('1240'), start: T0, number: 1 });
const [line] = charge.lines;
const rate = { rate: '0.24', version: 1 };
const added = { kind: 'tax', inclusive: false, rate, covers: null, origin: null } as const;
const paid: PaymentEvent[] = [
  {
    type: 'payment.requested.v3',
    data: {
      ...charge,
      lines: [
        { ...line!, amount: usd('1000') },
        { ...added, amount: usd('240') },
      ],
      ...{ paymentId: 'pay_1', appId: 'app_1', player: '', checkoutLinkId: 'link_1' },
      ...{ paymentMethod: 'pm_ok', personal: {}, requestedAt: T0 },
    },
  },
  {
    type: 'payment.captured.v1',
    data: { paymentMethodSubType: '', issuerBank: '', capturedAt: T0 },
  },
];
const give: RefundUnusedCredit = {
  ...{ kind: 'RefundUnusedCredit', refundId: REFUND, price: usd('500'), now: T1 },
};
const asked: PaymentEvent = {
  type: 'payment.refund_requested.v1',
  data: { refundId: REFUND, amount: usd('620'), tax: usd('120'), requestedAt: T1 },
};
const made: PaymentEvent = {
  type: 'payment.refunded.v1',
  data: { refundId: REFUND, amount: usd('620'), refundedAt: T1 },
};
const failed: PaymentEvent = {
  type: 'payment.refund_failed.v1',
  data: { refundId: REFUND, amount: usd('620'), failedAt: T1 },
};
const disputed: PaymentEvent = {
  type: 'payment.dispute_opened.v1',
  data: { disputeId: 'dsp_1', amount: usd('1240'), openedAt: T1 },
};

describe('unused time that goes back', () => {
  it('is asked for with the tax that was added to it, and its part of the tax', () => {
    expect(given(decider, ...paid).when(give)).toEqual([asked]);
  });

  it.each([
    ['on its way', [asked]],
    ['made', [asked, made]],
    ['failed', [failed]],
    ['failed, and the dispute that was in its way is won', [disputed, failed]],
  ])('is asked for once, also where it is %s', (_how, since) => {
    expect(given(decider, ...paid, ...since).when(give)).toEqual([]);
  });

  it('has failed where the payment is disputed, or was given back meanwhile', () => {
    expect(given(decider, ...paid, disputed).when(give)).toEqual([failed]);
    const other = { refundId: 'ref_1', amount: usd('621'), tax: null, requestedAt: T1 };
    const gone: PaymentEvent = { type: 'payment.refund_requested.v1', data: other };
    expect(given(decider, ...paid, gone).when(give)).toEqual([failed]);
  });

  it('leaves the payment as it was where it has failed', () => {
    const before = given(decider, ...paid, disputed).state;
    const after = given(decider, ...paid, disputed, failed).state;
    expect(after).toEqual({ ...before, refundIds: [REFUND] });
  });
});
