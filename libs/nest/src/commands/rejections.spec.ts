import { describe, expect, it } from 'vitest';
import type { RejectionCode } from './rejection-code.js';
import { rejected } from './rejections.js';

/** HTTP status, google.rpc code and reason of every rejection: the compiler asks for each. */
const EXPECTED: Readonly<Record<RejectionCode, readonly [number, string, string]>> = {
  'app/key_of_other_mode': [400, 'INVALID_ARGUMENT', 'INVALID_FIELDS'],
  'app/not_found': [404, 'NOT_FOUND', 'APP_NOT_FOUND'],
  'webhook_endpoint/used_too_late': [400, 'INVALID_ARGUMENT', 'INVALID_FIELDS'],
  'app/retry_beyond_grace': [400, 'INVALID_ARGUMENT', 'INVALID_FIELDS'],
  'app/segment_exists': [409, 'ALREADY_EXISTS', 'SEGMENT_EXISTS'],
  'app/too_many_ingress_secrets': [400, 'FAILED_PRECONDITION', 'TOO_MANY_INGRESS_SECRETS'],
  'app/too_many_segments': [400, 'FAILED_PRECONDITION', 'TOO_MANY_SEGMENTS'],
  'cart/amount_exceeded': [400, 'FAILED_PRECONDITION', 'AMOUNT_EXCEEDED'],
  'cart/closed': [400, 'FAILED_PRECONDITION', 'CART_CLOSED'],
  'cart/currency_mismatch': [400, 'FAILED_PRECONDITION', 'CURRENCY_MISMATCH'],
  'cart/full': [400, 'FAILED_PRECONDITION', 'CART_FULL'],
  'cart/quantity_exceeded': [400, 'FAILED_PRECONDITION', 'QUANTITY_EXCEEDED'],
  'checkout_link/amount_changed': [400, 'FAILED_PRECONDITION', 'AMOUNT_CHANGED'],
  'checkout_link/expired': [400, 'FAILED_PRECONDITION', 'CHECKOUT_LINK_EXPIRED'],
  'checkout_link/locked': [400, 'FAILED_PRECONDITION', 'CHECKOUT_LINK_LOCKED'],
  'checkout_link/not_found': [404, 'NOT_FOUND', 'CHECKOUT_LINK_NOT_FOUND'],
  'checkout_link/paused': [429, 'RESOURCE_EXHAUSTED', 'CHECKOUT_LINK_PAUSED'],
  'checkout_link/player_erased': [400, 'FAILED_PRECONDITION', 'PLAYER_ERASED'],
  'order/canceled': [400, 'FAILED_PRECONDITION', 'ORDER_CANCELED'],
  'order/not_found': [404, 'NOT_FOUND', 'ORDER_NOT_FOUND'],
  'order/not_free': [400, 'FAILED_PRECONDITION', 'ORDER_NOT_FREE'],
  'order/paid': [400, 'FAILED_PRECONDITION', 'ORDER_PAID'],
  'order/payment_pending': [400, 'FAILED_PRECONDITION', 'PAYMENT_PENDING'],
  'command/key_reused': [409, 'ABORTED', 'IDEMPOTENCY_KEY_REUSED'],
  'command/not_found': [404, 'NOT_FOUND', 'OBJECT_NOT_FOUND'],
  'command/too_many_keys': [429, 'RESOURCE_EXHAUSTED', 'TOO_MANY_IDEMPOTENCY_KEYS'],
  'command/precondition_failed': [412, 'FAILED_PRECONDITION', 'REVISION_MISMATCH'],
  'loyalty/campaign_not_found': [404, 'NOT_FOUND', 'LOYALTY_CAMPAIGN_NOT_FOUND'],
  'loyalty/invalid_campaign': [400, 'INVALID_ARGUMENT', 'INVALID_FIELDS'],
  'loyalty/milestone_locked': [400, 'FAILED_PRECONDITION', 'MILESTONE_LOCKED'],
  'loyalty/milestone_not_found': [404, 'NOT_FOUND', 'MILESTONE_NOT_FOUND'],
  'loyalty/too_many_campaigns': [400, 'FAILED_PRECONDITION', 'TOO_MANY_LOYALTY_CAMPAIGNS'],
  'operator_token/not_found': [404, 'NOT_FOUND', 'OPERATOR_TOKEN_NOT_FOUND'],
  'operator_token/too_many': [400, 'FAILED_PRECONDITION', 'TOO_MANY_OPERATOR_TOKENS'],
  'finance/already_closed': [400, 'FAILED_PRECONDITION', 'PERIOD_CLOSED'],
  'finance/invalid_policy': [400, 'INVALID_ARGUMENT', 'INVALID_FIELDS'],
  'finance/no_close_requested': [400, 'FAILED_PRECONDITION', 'NO_CLOSE_REQUESTED'],
  'finance/not_next_period': [400, 'FAILED_PRECONDITION', 'PERIOD_NOT_NEXT'],
  'finance/nothing_booked': [400, 'FAILED_PRECONDITION', 'NOTHING_BOOKED'],
  'finance/period_not_over': [400, 'FAILED_PRECONDITION', 'PERIOD_NOT_OVER'],
  'finance/policy_changed': [400, 'FAILED_PRECONDITION', 'POLICY_CHANGED'],
  'finance/same_person': [400, 'FAILED_PRECONDITION', 'SECOND_PERSON_NEEDED'],
  'projection/rebuild_under_way': [400, 'FAILED_PRECONDITION', 'REBUILD_UNDER_WAY'],
  'projection/nothing_built': [400, 'FAILED_PRECONDITION', 'NOTHING_BUILT'],
  'projection/not_verified': [400, 'FAILED_PRECONDITION', 'GENERATION_NOT_VERIFIED'],
  'projection/no_former': [400, 'FAILED_PRECONDITION', 'NO_FORMER_GENERATION'],
  'projection/former_cannot_answer': [
    400,
    'FAILED_PRECONDITION',
    'FORMER_GENERATION_CANNOT_ANSWER',
  ],
  'projection/generation_answers': [400, 'FAILED_PRECONDITION', 'GENERATION_ANSWERS'],
  'projection/generation_not_found': [404, 'NOT_FOUND', 'GENERATION_NOT_FOUND'],
  'payment/not_captured': [400, 'FAILED_PRECONDITION', 'PAYMENT_NOT_CAPTURED'],
  'payment/not_found': [404, 'NOT_FOUND', 'PAYMENT_NOT_FOUND'],
  'payment/not_refundable': [400, 'FAILED_PRECONDITION', 'PAYMENT_NOT_REFUNDABLE'],
  'payment/refund_exceeds_remaining': [400, 'FAILED_PRECONDITION', 'REFUND_EXCEEDS_REMAINING'],
  'payment/refund_not_requested': [404, 'NOT_FOUND', 'REFUND_NOT_FOUND'],
  'payment/too_many_refunds': [400, 'FAILED_PRECONDITION', 'TOO_MANY_REFUNDS'],
  'payment/too_many_disputes': [400, 'FAILED_PRECONDITION', 'TOO_MANY_DISPUTES'],
  'plan/beyond_calendar': [400, 'INVALID_ARGUMENT', 'INVALID_FIELDS'],
  'plan/code_taken': [409, 'ALREADY_EXISTS', 'PLAN_CODE_TAKEN'],
  'plan/not_available': [400, 'FAILED_PRECONDITION', 'PLAN_NOT_AVAILABLE'],
  'plan/not_found': [404, 'NOT_FOUND', 'PLAN_NOT_FOUND'],
  'plan/invalid_availability_window': [400, 'INVALID_ARGUMENT', 'INVALID_AVAILABILITY_WINDOW'],
  'player_plans/plan_held': [400, 'FAILED_PRECONDITION', 'PLAN_ALREADY_HELD'],
  'player_plans/trial_taken': [400, 'FAILED_PRECONDITION', 'TRIAL_ALREADY_TAKEN'],
  'price_sheet/not_uploaded': [400, 'FAILED_PRECONDITION', 'PRICE_SHEET_NOT_UPLOADED'],
  'price_sheet/outdated_comparison': [409, 'ABORTED', 'PRICE_SHEET_CHANGED'],
  'price_sheet/unknown_version': [404, 'NOT_FOUND', 'PRICE_SHEET_VERSION_NOT_FOUND'],
  'prices/invalid_request': [400, 'INVALID_ARGUMENT', 'INVALID_FIELDS'],
  'prices/price_not_found': [404, 'NOT_FOUND', 'PRICE_NOT_FOUND'],
  'sandbox/dispute_closed': [400, 'FAILED_PRECONDITION', 'DISPUTE_CLOSED'],
  'sandbox/dispute_exceeds_remaining': [400, 'FAILED_PRECONDITION', 'DISPUTE_EXCEEDS_REMAINING'],
  'sandbox/dispute_not_found': [404, 'NOT_FOUND', 'DISPUTE_NOT_FOUND'],
  'sandbox/nothing_to_dispute': [400, 'FAILED_PRECONDITION', 'PAYMENT_NOT_DISPUTABLE'],
  'shop/order_pending': [400, 'FAILED_PRECONDITION', 'PAYMENT_PENDING'],
  'shop/order_replaced': [400, 'FAILED_PRECONDITION', 'ORDER_CANCELED'],
  'shop/quantity_exceeded': [400, 'FAILED_PRECONDITION', 'QUANTITY_EXCEEDED'],
  'shop_session/link_not_valid': [403, 'PERMISSION_DENIED', 'WEBSHOP_LINK_NOT_VALID'],
  'subscription/access_ended': [400, 'FAILED_PRECONDITION', 'ACCESS_ENDED'],
  'subscription/canceled': [400, 'FAILED_PRECONDITION', 'SUBSCRIPTION_CANCELED'],
  'subscription/charge_pending': [400, 'FAILED_PRECONDITION', 'CHARGE_PENDING'],
  'subscription/invalid_change': [400, 'INVALID_ARGUMENT', 'INVALID_FIELDS'],
  'subscription/not_a_downgrade': [409, 'ABORTED', 'SUBSCRIPTION_CHANGED'],
  'subscription/currency_changed': [400, 'FAILED_PRECONDITION', 'CURRENCY_CHANGED'],
  'subscription/currency_changing': [400, 'FAILED_PRECONDITION', 'CURRENCY_CHANGING'],
  'subscription/plan_unchanged': [400, 'FAILED_PRECONDITION', 'PLAN_UNCHANGED'],
  'subscription/amount_changed': [400, 'FAILED_PRECONDITION', 'AMOUNT_CHANGED'],
  'subscription/unused_credit_not_refundable': [
    400,
    'FAILED_PRECONDITION',
    'UNUSED_CREDIT_NOT_REFUNDABLE',
  ],
  'subscription/unused_credit': [400, 'FAILED_PRECONDITION', 'UNUSED_CREDIT'],
  'subscription/expired': [400, 'FAILED_PRECONDITION', 'SUBSCRIPTION_EXPIRED'],
  'subscription/not_canceled': [400, 'FAILED_PRECONDITION', 'SUBSCRIPTION_NOT_CANCELED'],
  'subscription/not_found': [404, 'NOT_FOUND', 'SUBSCRIPTION_NOT_FOUND'],
  'tax_rates/invalid': [400, 'INVALID_ARGUMENT', 'INVALID_FIELDS'],
  'test_clock/beyond_calendar': [400, 'INVALID_ARGUMENT', 'INVALID_FIELDS'],
  'test_clock/backwards': [400, 'FAILED_PRECONDITION', 'TEST_CLOCK_BACKWARDS'],
  'test_clock/too_far': [400, 'INVALID_ARGUMENT', 'TEST_CLOCK_TOO_FAR'],
  'webhook_endpoint/disabled': [400, 'FAILED_PRECONDITION', 'WEBHOOK_ENDPOINT_DISABLED'],
  'webhook_endpoint/too_many_secrets': [400, 'FAILED_PRECONDITION', 'TOO_MANY_WEBHOOK_SECRETS'],
  'webhook_endpoint/message_not_found': [404, 'NOT_FOUND', 'WEBHOOK_MESSAGE_NOT_FOUND'],
  'webhook_endpoint/player_erased': [410, 'FAILED_PRECONDITION', 'PLAYER_ERASED'],
  'webhook_endpoint/not_found': [404, 'NOT_FOUND', 'WEBHOOK_ENDPOINT_NOT_FOUND'],
};

// The keys of a literal of that type are codes.
const cases = Object.entries(EXPECTED) as [RejectionCode, readonly [number, string, string]][];

describe('a rejection', () => {
  it.each(cases)('%s is answered as %j', (code, expected) => {
    const { http, status, reason, message } = rejected({ code });
    expect([http, status, reason]).toEqual(expected);
    expect(message).toMatch(/^[A-Z].*\.$/);
  });

  it("of an object that is not the caller's names what it would be", () => {
    const { reason, message } = rejected({ code: 'command/not_found' }, 'webhook_endpoint');
    expect([reason, message]).toEqual([
      'WEBHOOK_ENDPOINT_NOT_FOUND',
      'There is no such webhook endpoint.',
    ]);
  });

  it('shows its detail, but never that of an object that is not found', () => {
    const detail = 'there is no subscription-sub_1 for this caller';
    expect(rejected({ code: 'plan/code_taken', detail }).metadata).toEqual({ detail });
    for (const [code, [http]] of cases) {
      if (http === 404) expect(rejected({ code, detail }).metadata).toEqual({});
    }
  });

  it('says what is due now where that is more than was shown', () => {
    const amount = { amountMinor: '1240', currency: 'USD' };
    const { metadata } = rejected({ code: 'checkout_link/amount_changed', amount });
    expect(metadata).toEqual({ amountCents: '1240', currency: 'USD' });
  });

  it('says how long to wait where that is known', () => {
    const rejection = { code: 'checkout_link/paused', retryAfterMs: 2_000 } as const;
    expect(rejected(rejection).retryAfterMs).toBe(2_000);
    expect(rejected({ code: 'checkout_link/locked' }).retryAfterMs).toBeUndefined();
  });

  it('names its bad fields by the paths of the request', () => {
    const violations = [{ field: 'rates[2].rate', description: 'is no rate' }];
    const { fieldViolations } = rejected({ code: 'tax_rates/invalid', violations });
    expect(fieldViolations).toEqual([{ field: 'rates.2.rate', description: 'is no rate' }]);
  });
});
