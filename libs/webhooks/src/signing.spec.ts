import { describe, expect, it } from 'vitest';
import { createHmac } from 'node:crypto';
import { type Attempt, showSecret, verifyWebhook, webhookHeaders } from './signing.js';

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

  it('sign the bytes of the body, whatever letters are in it', () => {
    const headers = webhookHeaders({ ...attempt, body: '{"name":"Žofie 🎮"}' });
    expect(verifyWebhook(SECRET, headers, '{"name":"Žofie 🎮"}', NOW)).toBe(true);
  });
});

describe('a receiver', () => {
  const headers = webhookHeaders(attempt);
  const accepts = (changed: Record<string, string>, body = attempt.body, now = NOW) =>
    verifyWebhook(showSecret(SECRET), { ...headers, ...changed }, body, now);

  it('takes what is signed with its secret, as it was shown or as plain base64', () => {
    expect(showSecret(SECRET)).toBe(`whsec_${SECRET}`);
    expect(accepts({})).toBe(true);
    expect(verifyWebhook(SECRET, headers, attempt.body, NOW)).toBe(true);
  });

  it('takes either secret while one is rotated', () => {
    const both = webhookHeaders({ ...attempt, secrets: [OTHER, SECRET] });
    for (const secret of [OTHER, SECRET]) {
      expect(verifyWebhook(secret, both, attempt.body, NOW)).toBe(true);
    }
    expect(verifyWebhook('AAAA', both, attempt.body, NOW)).toBe(false);
  });

  it.each([
    ['another body', {}, '{"test": 2432232315}'],
    ['another id', { 'webhook-id': 'msg_other' }, undefined],
    ['another time', { 'webhook-timestamp': String(NOW + 1) }, undefined],
    ['no time', { 'webhook-timestamp': 'soon' }, undefined],
    ['another signature', { 'webhook-signature': 'v1,AAAA' }, undefined],
    ['another version', { 'webhook-signature': 'v2,g0hM9SsE' }, undefined],
    ['another plain signature', { 'service-hmac-signature': 'AAAA' }, undefined],
  ])('refuses %s', (_what, changed, body) => {
    expect(accepts(changed, body)).toBe(false);
  });

  it('refuses what carries no signature', () => {
    expect(verifyWebhook(SECRET, {}, attempt.body, NOW)).toBe(false);
  });

  it('refuses what is over five minutes off, since it may be a replay', () => {
    expect(accepts({}, attempt.body, NOW + 300)).toBe(true);
    expect(accepts({}, attempt.body, NOW + 301)).toBe(false);
    expect(accepts({}, attempt.body, NOW - 301)).toBe(false);
  });
});
