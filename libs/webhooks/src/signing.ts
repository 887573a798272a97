import { createHmac, timingSafeEqual } from 'node:crypto';

/** How a webhook secret is shown, as Standard Webhooks has it: `whsec_` and base64 of the key bytes. */
const SECRET_PREFIX = 'whsec_';
/** Standard Webhooks: a delivery whose timestamp is further off may be a replay. */
const TOLERANCE_SECONDS = 300;

/** The secret as merchants see it. */
export function showSecret(base64: string): string {
  return SECRET_PREFIX + base64;
}

/** One attempt at one delivery. */
export interface Attempt {
  readonly messageId: string;
  /** 1, 2, 3 ... over the messages of the subject. */
  readonly sequence: number;
  /** 0 on the first attempt. */
  readonly retryCount: number;
  /** Wall clock, seconds since the epoch. */
  readonly timestampSeconds: number;
  readonly body: string;
  /** Key bytes in base64, newest first; several while a secret is rotated. */
  readonly secrets: readonly string[];
}

/** The headers of an attempt (rules/webhooks 4): Standard Webhooks, and the signature of the plain body. */
export function webhookHeaders(attempt: Attempt): Readonly<Record<string, string>> {
  const { messageId, timestampSeconds, body, secrets } = attempt;
  const signed = `${messageId}.${timestampSeconds}.${body}`;
  const [newest = ''] = secrets;
  return {
    'content-type': 'application/json',
    'user-agent': 'subledger-webhooks',
    'webhook-id': messageId,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': secrets.map((secret) => `v1,${hmac(secret, signed)}`).join(' '),
    'service-hmac-signature': hmac(newest, body),
    'service-retry-count': String(attempt.retryCount),
    'service-event-sequence': String(attempt.sequence),
  };
}

/**
 * A receiver's check: whether a delivery is of this secret, and timely. The signature of the plain body is of the
 * newest secret alone, so that it counts only while one secret signs.
 *
 * @param secret as it was shown, `whsec_...`.
 */
export function verifyWebhook(
  secret: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: string,
  nowSeconds: number,
): boolean {
  const key = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  const timestamp = Number(headers['webhook-timestamp']);
  if (!(Math.abs(nowSeconds - timestamp) <= TOLERANCE_SECONDS)) return false;
  const expected = `v1,${hmac(key, `${String(headers['webhook-id'])}.${timestamp}.${body}`)}`;
  const given = String(headers['webhook-signature']).split(' ');
  if (!given.some((signature) => isEqual(signature, expected))) return false;
  return given.length > 1 || isEqual(String(headers['service-hmac-signature']), hmac(key, body));
}

function hmac(secretBase64: string, text: string): string {
  const key = Buffer.from(secretBase64, 'base64');
  return createHmac('sha256', key).update(text).digest('base64');
}

function isEqual(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
