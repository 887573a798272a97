import { ApiError, type FieldViolation, invalidFields } from '../http/answer/api-error.js';
import { dottedFields } from './dotted-fields.js';
import type { RejectionCode } from './rejection-code.js';
import {
  AMOUNT_CHANGED,
  INVALID_FIELDS,
  missing,
  refused,
  type RejectionRow,
} from './rejection-row.js';
import { describeRejection, type RejectionDetails } from './rejection-metadata.js';
import { FINANCE_ROWS } from './finance-rejections.js';
import { PROJECTION_ROWS } from './projection-rejections.js';
import { SUBSCRIPTION_ROWS } from './subscription-rejections.js';

/** By then calls on their way have their outcome; a request with a key that was used before gets it. */
const KEYS_RETRY_MS = 10_000;

/** Canceled by the player, or by a later checkout of its cart. */
const ORDER_CANCELED = refused('ORDER_CANCELED', 'The order was canceled. Make a new one.');
const QUANTITY_EXCEEDED = refused(
  'QUANTITY_EXCEEDED',
  'That is more of the item than the player can buy.',
);
const PAYMENT_PENDING = refused(
  'PAYMENT_PENDING',
  'A payment of the order is on its way. Wait for its outcome, then try again.',
);

/**
 * The answer to each rejection (rules/api 12). The type asks for a row for every code of every context: a rejection
 * without one does not compile.
 */
const ROWS: Readonly<Record<RejectionCode, RejectionRow>> = {
  ...FINANCE_ROWS,
  ...PROJECTION_ROWS,
  ...SUBSCRIPTION_ROWS,
  'app/key_of_other_mode': INVALID_FIELDS,
  'app/not_found': missing('APP', 'app'),
  'app/retry_beyond_grace': INVALID_FIELDS,
  'app/segment_exists': {
    status: 'ALREADY_EXISTS',
    reason: 'SEGMENT_EXISTS',
    message: 'The app has a segment with this id already.',
  },
  'app/too_many_ingress_secrets': refused(
    'TOO_MANY_INGRESS_SECRETS',
    'The former ingress secret is still valid. Wait until it expires, or end it at once: rotate with expireOldAfterSeconds 0.',
  ),
  'app/too_many_segments': refused('TOO_MANY_SEGMENTS', 'An app can have no more segments.'),
  'cart/amount_exceeded': refused(
    'AMOUNT_EXCEEDED',
    'That comes to more than a payment can. Buy fewer at once.',
  ),
  'cart/closed': refused('CART_CLOSED', 'The cart was paid meanwhile. Try again.'),
  'cart/currency_mismatch': refused(
    'CURRENCY_MISMATCH',
    'A cart holds one currency. Check out first, or take the items out.',
  ),
  'cart/full': refused('CART_FULL', 'The cart holds as many items as a cart can hold.'),
  'cart/quantity_exceeded': QUANTITY_EXCEEDED,
  'checkout_link/amount_changed': AMOUNT_CHANGED,
  'checkout_link/not_found': missing('CHECKOUT_LINK', 'checkout link'),
  'checkout_link/locked': refused(
    'CHECKOUT_LINK_LOCKED',
    'Too many payments on this link were declined, and it is locked. Ask the studio for a new one.',
  ),
  'checkout_link/paused': {
    status: 'RESOURCE_EXHAUSTED',
    reason: 'CHECKOUT_LINK_PAUSED',
    message: 'Several payments in a row were declined. Please wait a moment, then try again.',
  },
  'checkout_link/player_erased': refused(
    'PLAYER_ERASED',
    'The checkout link is of a player who was erased. Ask the studio for a new one.',
  ),
  'checkout_link/expired': refused(
    'CHECKOUT_LINK_EXPIRED',
    'The checkout link has expired. Ask the studio for a new one.',
  ),
  'order/not_found': missing('ORDER', 'order'),
  'order/canceled': ORDER_CANCELED,
  'order/paid': refused('ORDER_PAID', 'The order is paid. Refund its payment instead.'),
  'order/not_free': refused('ORDER_NOT_FREE', 'The order costs something: choose how to pay it.'),
  'order/payment_pending': PAYMENT_PENDING,
  'command/key_reused': {
    status: 'ABORTED',
    reason: 'IDEMPOTENCY_KEY_REUSED',
    message: 'This Idempotency-Key was used before with another request. Use a new key.',
  },
  'command/not_found': missing('OBJECT', 'such object'),
  'command/too_many_keys': {
    status: 'RESOURCE_EXHAUSTED',
    reason: 'TOO_MANY_IDEMPOTENCY_KEYS',
    message: 'Too many Idempotency-Keys were used for this already. Send an earlier one again.',
    retryAfterMs: KEYS_RETRY_MS,
  },
  'command/precondition_failed': {
    status: 'FAILED_PRECONDITION',
    reason: 'REVISION_MISMATCH',
    message: 'The object has changed since: If-Match does not match. Read it again.',
    http: 412,
  },
  'loyalty/campaign_not_found': missing('LOYALTY_CAMPAIGN', 'loyalty campaign'),
  'loyalty/invalid_campaign': INVALID_FIELDS,
  'loyalty/milestone_locked': refused(
    'MILESTONE_LOCKED',
    'The player has not as many points as this milestone takes.',
  ),
  'loyalty/milestone_not_found': missing('MILESTONE', 'milestone'),
  'loyalty/too_many_campaigns': refused(
    'TOO_MANY_LOYALTY_CAMPAIGNS',
    'The app has as many loyalty campaigns as an app can have.',
  ),
  'operator_token/not_found': missing('OPERATOR_TOKEN', "operator's token"),
  'operator_token/too_many': refused(
    'TOO_MANY_OPERATOR_TOKENS',
    'The app has as many valid operator tokens as an app can have. Revoke some.',
  ),
  'payment/not_captured': refused('PAYMENT_NOT_CAPTURED', 'The payment was not captured.'),
  'payment/not_found': missing('PAYMENT', 'payment'),
  'payment/not_refundable': refused(
    'PAYMENT_NOT_REFUNDABLE',
    'The payment cannot be refunded in its present status.',
  ),
  'payment/refund_exceeds_remaining': refused(
    'REFUND_EXCEEDS_REMAINING',
    'The refund is above the rest of the payment.',
  ),
  'payment/refund_not_requested': missing('REFUND', 'refund'),
  'payment/too_many_refunds': refused(
    'TOO_MANY_REFUNDS',
    'The payment has as many refunds as a payment can have.',
  ),
  'payment/too_many_disputes': refused(
    'TOO_MANY_DISPUTES',
    'The payment has as many disputes as a payment can have.',
  ),
  'plan/beyond_calendar': INVALID_FIELDS,
  'plan/code_taken': {
    status: 'ALREADY_EXISTS',
    reason: 'PLAN_CODE_TAKEN',
    message: 'The segment has a plan with this code already.',
  },
  'plan/not_available': refused('PLAN_NOT_AVAILABLE', 'The plan is not for sale at present.'),
  'plan/not_found': missing('PLAN', 'plan'),
  'plan/invalid_availability_window': {
    status: 'INVALID_ARGUMENT',
    reason: 'INVALID_AVAILABILITY_WINDOW',
    message: 'The window is empty: availableFrom must lie before availableUntil.',
  },
  'price_sheet/not_uploaded': refused(
    'PRICE_SHEET_NOT_UPLOADED',
    'The app had no price sheet at that moment. Upload one first.',
  ),
  'price_sheet/outdated_comparison': {
    status: 'ABORTED',
    reason: 'PRICE_SHEET_CHANGED',
    message: 'Another price sheet came into force meanwhile. Try again.',
  },
  'price_sheet/unknown_version': missing('PRICE_SHEET_VERSION', 'version of the price sheet'),
  'prices/invalid_request': INVALID_FIELDS,
  'prices/price_not_found': missing('PRICE', 'price in the sheet of that moment'),
  'sandbox/dispute_closed': refused(
    'DISPUTE_CLOSED',
    'The dispute was closed before, with the other outcome.',
  ),
  'sandbox/dispute_exceeds_remaining': refused(
    'DISPUTE_EXCEEDS_REMAINING',
    'The dispute is above the rest of the payment.',
  ),
  'sandbox/dispute_not_found': missing('DISPUTE', 'dispute'),
  'sandbox/nothing_to_dispute': refused(
    'PAYMENT_NOT_DISPUTABLE',
    'Nothing is left of the payment to be disputed.',
  ),
  'shop/order_pending': PAYMENT_PENDING,
  'shop/order_replaced': ORDER_CANCELED,
  'shop/quantity_exceeded': QUANTITY_EXCEEDED,
  'shop_session/link_not_valid': {
    status: 'PERMISSION_DENIED',
    reason: 'WEBSHOP_LINK_NOT_VALID',
    message:
      'This link into the shop was used, has expired, or is none. Open the shop from the game.',
  },
  'tax_rates/invalid': INVALID_FIELDS,
  'test_clock/beyond_calendar': INVALID_FIELDS,
  'test_clock/backwards': refused(
    'TEST_CLOCK_BACKWARDS',
    'A test clock only goes forwards: `to` lies before its time or its target.',
  ),
  'test_clock/too_far': {
    status: 'INVALID_ARGUMENT',
    reason: 'TEST_CLOCK_TOO_FAR',
    message: 'One advance covers ten years at most. Advance in several steps.',
  },
  'webhook_endpoint/disabled': refused(
    'WEBHOOK_ENDPOINT_DISABLED',
    'The endpoint is disabled. Enable it first: it is sent the missed messages then.',
  ),
  'webhook_endpoint/message_not_found': {
    status: 'NOT_FOUND',
    reason: 'WEBHOOK_MESSAGE_NOT_FOUND',
    message:
      'No message with this id is known to have been sent to the endpoint within seven days, or to have failed there. Ask for the time of its event instead: since and until.',
  },
  'webhook_endpoint/player_erased': {
    status: 'FAILED_PRECONDITION',
    reason: 'PLAYER_ERASED',
    message: 'The message is about a player who was erased since. It cannot be sent any more.',
    http: 410,
  },
  'webhook_endpoint/not_found': missing('WEBHOOK_ENDPOINT', 'webhook endpoint'),
  'webhook_endpoint/used_too_late': INVALID_FIELDS,
  'webhook_endpoint/too_many_secrets': refused(
    'TOO_MANY_WEBHOOK_SECRETS',
    'The endpoint has as many valid secrets as it can have. Wait until one expires, or end them all at once: rotate with expireOldAfterSeconds 0.',
  ),
};

/**
 * A rejection as the document of an API describes it.
 *
 * @param name the reason that callers read, or the code of a rejection where several share that reason.
 */
export function findRejection(name: string): RejectionRow | undefined {
  return Object.entries(ROWS).find(([code, { reason }]) => code === name || reason === name)?.[1];
}

/**
 * The error that a caller gets for a rejection.
 *
 * @param category of the stream: it names the object where the code cannot.
 */
export function rejected(
  rejection: RejectionDetails & {
    readonly code: RejectionCode;
    readonly violations?: readonly FieldViolation[];
    readonly retryAfterMs?: number;
  },
  category?: string,
): ApiError {
  const fieldViolations = dottedFields(rejection.violations ?? []);
  const { status, reason, message, http, ...row } = ROWS[rejection.code];
  if (reason === INVALID_FIELDS.reason) return invalidFields(fieldViolations);
  const retryAfterMs = rejection.retryAfterMs ?? row.retryAfterMs;
  const named = category === undefined ? {} : namedObject(rejection.code, category);
  return new ApiError(status, {
    reason,
    message,
    fieldViolations,
    ...named,
    ...(status !== 'NOT_FOUND' && { metadata: describeRejection(rejection) }),
    ...(http !== undefined && { http }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

function namedObject(code: RejectionCode, category: string) {
  if (code !== 'command/not_found') return {};
  const { reason, message } = missing(category.toUpperCase(), category.replaceAll('_', ' '));
  return { reason, message };
}
