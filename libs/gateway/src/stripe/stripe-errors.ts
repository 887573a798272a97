import Stripe from 'stripe';
import { Fault } from '#platform';

type StripeError = InstanceType<typeof Stripe.errors.StripeError>;

/** Stripe's errors for a charge that will never go through as it is: a decline, though no bank was asked. */
const DECLINING = new Set([
  'amount_too_large',
  'amount_too_small',
  'authentication_required',
  'invalid_charge_amount',
  'payment_method_not_available',
]);
/** Stripe's errors for a refund that it will never make as it is. */
const REFUSING = new Set([
  'amount_too_large',
  'amount_too_small',
  'charge_already_refunded',
  'charge_disputed',
  'charge_not_refundable',
  'invalid_charge_amount',
  'payment_intent_unexpected_state',
  'refund_disputed_payment',
]);

/**
 * The error by which Stripe declines a charge; undefined for whatever leaves its outcome unknown. A customer that is not
 * there says that the secret key is another account's (decision 0027): the charge may have been made in the right one.
 */
export function readDecline(error: unknown): StripeError | undefined {
  if (error instanceof Stripe.errors.StripeCardError) return error;
  if (!isRefusal(error)) return undefined;
  const isGone = error.code === 'resource_missing' && error.param === 'payment_method';
  return isGone || DECLINING.has(error.code ?? '') ? error : undefined;
}

/** Why Stripe refuses a refund; undefined for whatever leaves its outcome unknown. */
export function readRefusal(error: unknown): string | undefined {
  if (!isRefusal(error)) return undefined;
  return error.param === 'amount' || REFUSING.has(error.code ?? '') ? error.message : undefined;
}

/**
 * Whether the key alone brings no outcome any more. Stripe keeps the first answer to a key, also that it
 * failed itself (500), and repeats it for a day; and a key that comes with other parameters is refused.
 */
export function isStuck(error: unknown): boolean {
  if (error instanceof Stripe.errors.StripeIdempotencyError) return true;
  if (!(error instanceof Stripe.errors.StripeError)) return false;
  return (error.statusCode ?? 0) >= 500 && error.headers?.['idempotent-replayed'] === 'true';
}

/**
 * Out of reach, busy (409, 429), failed itself, or does not accept the key of the account: whether it was done is
 * unknown. The message has the ids that support asks for, and nothing of the request.
 */
export function toFault(error: unknown, what: string): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  const { type, code = '', statusCode = '', requestId = '' } = error;
  const details = [type, code, String(statusCode), requestId].filter((text) => text !== '');
  const message = `Stripe, asked to ${what}, has no outcome: ${details.join(', ')}`;
  return new Fault('unavailable', message, { retryable: true });
}

/** Asks Stripe. @throws as `toFault` has it. */
export async function orFault<T>(what: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw toFault(error, what);
  }
}

/** Asks Stripe for a part of its books. @throws as `orFault`. */
export function askForBooks<T>(ask: () => Promise<T>): Promise<T> {
  return orFault('show its books', ask);
}

/** Understood, and refused. */
function isRefusal(error: unknown): error is StripeError {
  return error instanceof Stripe.errors.StripeInvalidRequestError;
}
