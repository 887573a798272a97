import { describe, expect, it } from '@jest/globals';
import type { StateCodec } from '#projection-engine/define';
import { scheduledCodec } from './due-dates.codec.js';
import { paymentCodec } from './payments.codec.js';
import { subscriptionCodec } from './subscriptions.codec.js';

const CREATED_AT = 1_769_853_600_000;
const DUE_DATE = ['app_1', CREATED_AT, 1, 0];
const PAYMENT = ['1', 'player-1', '1', '1', 1, 1, '999', 'USD', CREATED_AT];
const SUBSCRIPTION = [
  ...['app_1', '5f00', 'player-1', 'plan_1', '999', 'USD', 1, 'month', 'pm_ok', 'link_1'],
  ...[CREATED_AT, 0, 0, 1, 0],
];
const SUBSCRIPTION_STATUSES = ['active', 'past_due', 'canceled', 'expired'];
const PAYMENT_STATUSES = [
  ...['PENDING', 'SUCCEEDED', 'FAILED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'DISPUTED'],
];

/** What is stored of a document after its status; what its status is stored as is a number in this order. */
const stored: [string, StateCodec<never>, readonly string[], readonly unknown[]][] = [
  ['subscription', subscriptionCodec as StateCodec<never>, SUBSCRIPTION_STATUSES, SUBSCRIPTION],
  ['due date', scheduledCodec as StateCodec<never>, SUBSCRIPTION_STATUSES, DUE_DATE],
  ['payment', paymentCodec as StateCodec<never>, PAYMENT_STATUSES, PAYMENT],
];

describe('the status in what is stored', () => {
  it.each(stored)('of a %s is a number that stays', (_, codec, statuses, others) => {
    for (const [number, status] of statuses.entries()) {
      const state = codec.unpack([number, ...others], 'id');
      expect(state).toHaveProperty('status', status);
      expect(codec.pack(state, 'id')[0]).toBe(number);
    }
  });

  it.each(stored)(
    'of a %s is not guessed where its number is unknown',
    (_, codec, statuses, others) => {
      expect(() => codec.unpack([statuses.length, ...others], 'id')).toThrow(
        `no stored value has the number ${statuses.length}`,
      );
    },
  );
});
