import { createHmac } from 'node:crypto';

/** How a webhook secret is shown, as Standard Webhooks has it: `whsec_` and base64 of the key bytes. */
const SECRET_PREFIX = 'whsec_';

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

function hmac(secretBase64: string, text: string): string {
  const key = Buffer.from(secretBase64, 'base64');
  return createHmac('sha256', key).update(text).digest('base64');
}
