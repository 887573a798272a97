import { describe, expect, it } from 'vitest';
import { coversEventType } from './event-selectors.js';

describe('the event types of an endpoint', () => {
  it.each([
    [['*'], 'payment.failed', true],
    [['payment.failed'], 'payment.failed', true],
    [['payment.failed'], 'payment.succeeded', false],
    [['subscription.*'], 'subscription.payment_failed', true],
    [['subscription.*'], 'subscriptions.created', false],
    [['payment.*'], 'subscription.payment_failed', false],
    [['dispute.opened', 'subscription.*'], 'subscription.created', true],
    [['VIEW_ITEM'], 'PURCHASE_SUCCEEDED', true],
    [['VIEW_ITEM'], 'PURCHASE_FAILED', false],
    [['payment.*'], 'PURCHASE_SUCCEEDED', false],
    [['v1'], 'PURCHASE_SUCCEEDED', true],
    [['v1'], 'LOYALTY_MILESTONE_CLAIMED', true],
    [['v1'], 'payment.failed', false],
    [['VIEW_ITEM', 'v2'], 'dispute.opened', true],
    [['v2'], 'PURCHASE_SUCCEEDED', false],
    [[], 'payment.failed', false],
    [['*', 'v2', 'ledger.*'], 'ledger.sealed', false],
    [['ledger.sealed'], 'ledger.sealed', true],
    [['ledger.sealed'], 'PURCHASE_SUCCEEDED', false],
  ])('%j covers %s: %s', (eventTypes, type, isCovered) => {
    expect(coversEventType(eventTypes, type)).toBe(isCovered);
  });
});
