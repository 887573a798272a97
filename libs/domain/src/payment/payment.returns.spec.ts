import { describe, expect, it } from 'vitest';
import { given } from '../decider/spec-support/given.js';
import type { Money } from '../money/index.js';
import { paymentAggregate } from './payment.decide.js';
import type { PaymentEvent } from './payment.events.js';
import { periodCharge } from './spec-support/period-charge.js';

const { decider } = paymentAggregate;

/** A late capture goes back by itself, also where a dispute comes in between (rules/payments 14). */
const T0 = '2027-01-31T10:00:00.000Z';
const late: readonly PaymentEvent[] = [
  {
    type: 'payment.requested.v3',
    data: {
      ...periodCharge({ subscriptionId: 'sub_1', amount: usd('999'), start: T0, number: 2 }),
      ...{ paymentId: 'pay_1', appId: 'app_1', player: '5f2a9c04d1e84b7796ab30c2d4e5f601' },
      ...{ checkoutLinkId: '', paymentMethod: 'pm_ok', personal: {}, requestedAt: T0 },
    },
  },
  {
    type: 'payment.given_up.v1',
    data: {
      ...{ reason: 'issuer_unavailable', declineClass: 'unknown', rawDeclineCode: '' },
      ...{ givenUpAt: T0, wallGivenUpAt: T0 },
    },
  },
  {
    type: 'payment.captured.v1',
    data: { paymentMethodSubType: '', issuerBank: '', capturedAt: T0 },
  },
];
const opened = dispute('d1');
const won = closed('d1');
const asked = requested('pay_1.late');
const refused = failed('pay_1.late');
const again = requested('pay_1.late.1');
const returnIt = { kind: 'ReturnPayment', now: T0 } as const;
const decide = (then: readonly PaymentEvent[]) => given(decider, ...late, ...then).when(returnIt);

describe('a late capture', () => {
  it.each([
    ['that the ledger heard of first', [opened, won]],
    ['for which the gateway had refused it', [asked, refused, opened, won]],
    ['and it was refused meanwhile', [asked, opened, refused, won]],
    ['and the refusal comes after that', [asked, opened, won, refused]],
    [
      'for which it was taken back after it was made',
      [asked, made('pay_1.late'), refused, opened, won],
    ],
  ])('goes back once its dispute is won: one %s', (_, then) => {
    expect(decide(then)).toEqual([again]);
  });

  it.each([
    ['was refused, and there was no dispute since', [asked, refused]],
    ['is disputed still', [asked, opened, refused]],
    ['was disputed and is on its way still', [asked, opened, won]],
    ['was made', [asked, made('pay_1.late'), opened, won]],
    ['was asked for once after its dispute', [asked, refused, opened, won, again]],
    ['was refused after its dispute, too', [opened, won, again, failed('pay_1.late.1')]],
  ])('is asked for no more where it %s', (_, then) => {
    expect(decide(then)).toEqual([]);
  });

  it('goes back after a second dispute, too', () => {
    const first = [opened, won, again, failed('pay_1.late.1')];
    const second = [dispute('d2'), closed('d2')];
    expect(decide([...first, ...second])).toEqual([requested('pay_1.late.2')]);
  });
});

function usd(amountMinor: string): Money {
  return { amountMinor, currency: 'USD' };
}

function dispute(disputeId: string): PaymentEvent {
  return {
    type: 'payment.dispute_opened.v1',
    data: { disputeId, amount: usd('999'), openedAt: T0 },
  };
}

function closed(disputeId: string): PaymentEvent {
  return { type: 'payment.dispute_closed.v1', data: { disputeId, won: true, closedAt: T0 } };
}

function requested(refundId: string): PaymentEvent {
  const data = { refundId, amount: usd('999'), tax: null, requestedAt: T0 };
  return { type: 'payment.refund_requested.v1', data };
}

function made(refundId: string): PaymentEvent {
  return {
    type: 'payment.refunded.v1',
    data: { refundId, amount: usd('999'), refundedAt: T0 },
  };
}

function failed(refundId: string): PaymentEvent {
  const data = { refundId, amount: usd('999'), failedAt: T0 };
  return { type: 'payment.refund_failed.v1', data };
}
