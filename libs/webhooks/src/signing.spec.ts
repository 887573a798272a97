import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createHmac } from 'node:crypto';
import { verifyWebhook } from '../../../test/support/verify-webhook.js';
import { type Attempt, showSecret, webhookHeaders } from './signing.js';

/** The vector that the libraries of Standard Webhooks test themselves with. */
const SECRET = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER = Buffer.alloc(24, 7).toString('base64');
const NOW = 1_614_265_330;
const attempt: Attempt = {
  messageId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  sequence: 3,
  retryCount: 2,
  timestampSeconds: NOW,
  body: '{"test": 2432232314}',
  secrets: [SECRET],
};

describe('the headers of an attempt', () => {
  it('are those of Standard Webhooks, and our own beside them', () => {
    expect(webhookHeaders(attempt)).toEqual({
      'content-type': 'application/json',
      'user-agent': 'subledger-webhooks',
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      'service-hmac-signature': createHmac('sha256', Buffer.from(SECRET, 'base64'))
        .update(attempt.body)
        .digest('base64'),
      'service-retry-count': '2',
      'service-event-sequence': '3',
    });
  });

  it('carry a signature of each secret while one is rotated, the newest first', () => {
    const one = webhookHeaders({ ...attempt, secrets: [OTHER] });
    const both = webhookHeaders({ ...attempt, secrets: [OTHER, SECRET] });
    expect(both['webhook-signature']).toBe(
      `${one['webhook-signature']} v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=`,
    );
    expect(both['service-hmac-signature']).toBe(one['service-hmac-signature']);
  });
});

describe('a receiver', () => {
  beforeEach(() => void vi.spyOn(Date, 'now').mockReturnValue(NOW * 1_000));

  it('takes the bytes of the body, whatever letters are in them, by the secret as it was shown', () => {
    const body = '{"name":"Žofie 🎮"}';
    const headers = webhookHeaders({ ...attempt, body });
    expect(showSecret(SECRET)).toBe(`whsec_${SECRET}`);
    expect(verifyWebhook(showSecret(SECRET), headers, body)).toBe(true);
    expect(verifyWebhook(showSecret(SECRET), headers, `${body} `)).toBe(false);
  });

  it('takes either secret while one is rotated', () => {
    const both = webhookHeaders({ ...attempt, secrets: [OTHER, SECRET] });
    const taken = [OTHER, SECRET, 'AAAA'].map((each) => verifyWebhook(each, both, attempt.body));
    expect(taken).toEqual([true, true, false]);
  });
});
