import { describe, expect, it } from 'vitest';
import { Life } from './stories/life.js';

/** A subscription whose payment was disputed, and the dispute lost (rules/lifecycle 12). */
const MID_PERIOD = '2027-02-10T10:00:00.000Z';
const DUE = '2027-02-28T10:00:00.000Z';
const MUCH_LATER = '2028-01-31T10:00:00.000Z';
const ENDED = ['dispute.closed', 'subscription.expired'];

describe('in an app whose subscriptions end with a lost dispute, a subscription', () => {
  it('ends at once, says why, and is charged no more', () => {
    const life = disputed('pm_ok');
    life.advance(MID_PERIOD);
    life.closeDispute(false);
    const messages = life.messages();
    expect(messages.map(({ type }) => type)).toEqual(ENDED);
    expect(JSON.parse(messages[1]?.body ?? '')).toMatchObject({
      data: { status: 'expired', reason: 'dispute_lost', access_end_date: MID_PERIOD },
    });
    life.advance(MUCH_LATER);
    expect([life.status(), life.sent()]).toEqual(['expired', []]);
  });

  it('goes on where the dispute is won', () => {
    const life = disputed('pm_ok');
    life.closeDispute(true);
    expect([life.status(), life.sent()]).toEqual(['active', ['dispute.closed']]);
  });

  it('that is canceled or past due ends with it, too', () => {
    const canceled = disputed('pm_ok');
    canceled.cancel();
    canceled.sent();
    canceled.closeDispute(false);
    expect([canceled.status(), canceled.sent()]).toEqual(['expired', ENDED]);
    const pastDue = disputed('pm_renewal_declines');
    pastDue.advance(DUE);
    pastDue.sent();
    pastDue.closeDispute(false);
    expect([pastDue.status(), pastDue.sent()]).toEqual(['expired', ENDED]);
    pastDue.advance(MUCH_LATER);
    expect(pastDue.sent()).toEqual([]);
  });

  it('that has ended already only notes it', () => {
    const life = disputed('pm_ok');
    life.cancel(false);
    life.sent();
    life.closeDispute(false);
    expect(life.sent()).toEqual(['dispute.closed']);
  });

  it('ends while a renewal has no outcome: captured after that, it goes back', () => {
    const life = new Life(null);
    life.endOnLostDispute();
    life.disputeNextCapture();
    life.pay('pm_pending');
    life.settlePending();
    life.advance(DUE);
    life.sent();
    life.closeDispute(false);
    expect(life.sent()).toEqual(ENDED);
    life.settlePending();
    expect(life.sent()).toEqual(['payment.succeeded', 'payment.refunded']);
  });

  it('does not end with a payment that came too late to buy anything of it', () => {
    const life = buyPending();
    life.endOnLostDispute();
    life.advance(DUE);
    // The renewal is canceled from under its charge, and taken back.
    life.cancel();
    life.disputeNextCapture();
    life.settlePending();
    life.sent();
    life.closeDispute(false);
    expect([life.status(), life.sent()]).toEqual(['canceled', ['dispute.closed']]);
  });
});

it('in an app that keeps them, a subscription goes on, and is renewed', () => {
  const life = new Life(null);
  life.disputeNextCapture();
  life.pay('pm_ok');
  life.sent();
  life.closeDispute(false);
  expect([life.status(), life.sent()]).toEqual(['active', ['dispute.closed']]);
  life.advance(DUE);
  expect(life.sent()).toEqual(['payment.succeeded', 'subscription.payment_succeeded']);
});

/** Bought in an app that ends them, and disputed at once. */
function disputed(paymentMethod: string): Life {
  const life = new Life(null);
  life.endOnLostDispute();
  life.disputeNextCapture();
  life.pay(paymentMethod);
  life.sent();
  return life;
}

/** Bought by a method whose renewals are left open by the gateway. */
function buyPending(): Life {
  const life = new Life(null);
  life.pay('pm_pending');
  life.settlePending();
  return life;
}
