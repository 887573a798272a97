import type { CommandSource } from '#nest';
import { explainRefusal, readRefusalReason } from '../links/refusal.js';
import type { PaymentFormBody } from './checkout.dto.js';

/** Where a form leads to in the end: with 303. */
interface Target {
  readonly url: string;
}

/**
 * Where a form of a link's page leads on to: where `act` says, else the page of the link, with why a click made
 * no attempt where the page does not show that by itself (rules/storefront 5).
 *
 * @param act is given the path of the page. @throws an error that is neither a refusal nor a part that is out of reach.
 */
export async function leadOn(
  linkId: string,
  act: (page: string) => Promise<string | undefined>,
): Promise<Target> {
  const page = `/checkout/${encodeURIComponent(linkId)}`;
  try {
    return { url: (await act(page)) ?? page };
  } catch (error) {
    const reason = readRefusalReason(error);
    const isTold = explainRefusal(reason) === undefined;
    return { url: isTold ? page : `${page}?refusal=${reason}` };
  }
}

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
