import { describe, expect, it } from 'vitest';
import { given } from '../decider/spec-support/given.js';
import { paymentAggregate } from './payment.decide.js';
import { GIVEN_UP, type PaymentEvent } from './payment.events.js';
import { periodCharge } from './spec-support/period-charge.js';
import * as events from './spec-support/payments.js';

const { decider } = paymentAggregate;

/** A late capture goes back by itself, also where a dispute comes in between (rules/payments 14). */
const { capturedAt, T0, usd } = events;
const charge = periodCharge({ subscriptionId: 'sub_1', amount: usd('999'), start: T0, number: 2 });
const late: readonly PaymentEvent[] = [
  events.requested({ ...charge, checkoutLinkId: '' }),
  { type: 'payment.given_up.v1', data: { ...GIVEN_UP, givenUpAt: T0, wallGivenUpAt: T0 } },
  capturedAt(T0),
];
const dispute = (disputeId: string) => events.opened(disputeId, '999', T0);
const closed = (disputeId: string) => events.closed(disputeId, true, T0);
const requested = (refundId: string) => events.refundAsked(refundId, '999', T0);
const made = (refundId: string) => events.refunded(refundId, '999', T0);
const failed = (refundId: string) => events.refundFailed(refundId, '999', T0);
const [opened, won] = [dispute('d1'), closed('d1')];
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
