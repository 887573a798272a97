import type { CommandSource } from '#nest';
import type { PaymentFormBody } from './checkout.dto.js';

/**
 * Gives the request of a form its Idempotency-Key, which a browser cannot send as a header. The method is
 * part of it: a player who goes back in the browser's history and chooses another card means another attempt.
 */
export function withFormKey(
  source: CommandSource,
  { attemptKey, paymentMethod = '' }: PaymentFormBody,
): CommandSource {
  return withKey(source, `form-${attemptKey}-${paymentMethod}`);
}

/** Gives a request of a browser this Idempotency-Key. */
export function withKey(
  { id, headers, method, url, params, rawBody }: CommandSource,
  key: string,
): CommandSource {
  return {
    ...{ id, method, url, params, headers: { ...headers, 'idempotency-key': key } },
    ...(rawBody !== undefined && { rawBody }),
  };
}
