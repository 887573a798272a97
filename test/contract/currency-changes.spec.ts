import { describe, expect, it } from 'vitest';
import type { WebhookMessage } from '#webhooks';
import { Life } from './stories/life.js';

/** Charges, retries and refunds before and after a currency ends (rules/lifecycle 14). */
const MID = '2027-02-14T10:00:00.000Z';
const DUE = '2027-02-28T10:00:00.000Z';
const NEXT_DUE = '2027-03-31T10:00:00.000Z';

function lifeAt(now: string, paymentMethod = 'pm_ok'): Life {
  const life = new Life(null);
  life.pay(paymentMethod);
  life.advance(now);
  life.sent();
  return life;
}

/** The type of each message, with the amount of those that name a currency. */
const listSent = (messages: readonly WebhookMessage[]) =>
  messages.map(({ type, body }) => {
    const { data } = JSON.parse(body) as { data: Readonly<Record<string, string>> };
    const amount = data['total'] ?? data['total_refunded'];
    return amount === undefined ? type : `${type} ${amount} ${data['currency']}`;
  });

describe('a subscription whose currency ends', () => {
  it('is renewed in the other one; what was paid before goes back as it was paid', () => {
    const life = lifeAt(MID);
    life.moveToEuros('899');
    life.refundInPart();
    expect(listSent(life.messages())).toEqual([
      'subscription.currency_change_scheduled 8.99 EUR',
      'payment.refunded 1.00 USD',
    ]);
    life.advance(DUE);
    expect(listSent(life.messages())).toEqual([
      'subscription.updated',
      'payment.succeeded 8.99 EUR',
      'subscription.payment_succeeded',
    ]);
    life.advance(NEXT_DUE);
    expect(listSent(life.messages())).toEqual([
      'payment.succeeded 8.99 EUR',
      'subscription.payment_succeeded',
    ]);
  });

  it('pays an open period as it was due, and the next one in the other currency', () => {
    const life = lifeAt(DUE, 'pm_renewal_declines_once');
    expect(life.status()).toBe('past_due');
    life.moveToEuros('899');
    life.advanceBy(24);
    expect(listSent(life.messages())).toEqual([
      'subscription.currency_change_scheduled 8.99 EUR',
      'payment.succeeded 9.99 USD',
      'subscription.payment_succeeded',
    ]);
    life.advance(NEXT_DUE);
    expect(listSent(life.messages())).toEqual([
      'subscription.updated',
      'payment.succeeded 8.99 EUR',
      'subscription.payment_succeeded',
    ]);
  });

  it('is retried in the other currency where its first renewal there is declined', () => {
    const life = lifeAt(MID, 'pm_renewal_declines');
    life.moveToEuros('899');
    life.sent();
    life.advance(DUE);
    life.advanceBy(24);
    expect(listSent(life.messages())).toEqual([
      'subscription.updated',
      'payment.failed 8.99 EUR',
      'subscription.payment_failed',
      'payment.failed 8.99 EUR',
      'subscription.payment_failed',
    ]);
    // The open period is paid in euros by another method, too.
    life.change(null, 'pm_ok');
    expect(listSent(life.messages())).toEqual([
      'payment.succeeded 8.99 EUR',
      'subscription.payment_succeeded',
    ]);
  });
});
