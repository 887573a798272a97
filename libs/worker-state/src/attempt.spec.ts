import { describe, expect, it } from 'vitest';
import { Defect } from '#platform';
import {
  cutAnswer,
  decodeAttempt,
  type AttemptRecord,
  encodeAttempt,
  OUTCOMES,
} from './attempt.js';

const ATTEMPT: AttemptRecord = {
  ...{ messageId: 'msg_1', type: 'payment.failed', streamName: 'sl.payment-3f.pay_1', revision: 0 },
  ...{ sequence: 1, attempt: 11, startedAt: '2027-01-31T10:00:00.123Z', durationMs: 15_000 },
  ...{ outcome: 'failed', status: null, player: null, answer: null },
  url: 'https://studio.example/webhooks',
  error: { code: 'ETIMEDOUT', text: 'no answer in 15 s' },
};

describe('an attempt in the log', () => {
  it.each(OUTCOMES)('is read as it was written: %s', (outcome) => {
    const written = { ...ATTEMPT, outcome };
    expect(decodeAttempt(encodeAttempt(written))).toEqual(written);
  });

  it('is read as it was written where all is known of it', () => {
    const error = { code: 'tls', text: 'line\nbreak and "quotes" ž' };
    const written = { ...ATTEMPT, status: 200, error, player: 'p', answer: 's' };
    expect(decodeAttempt(encodeAttempt(written))).toEqual(written);
  });

  it('is stored with the beginning of why it failed', () => {
    const error = { code: 'tls', text: 'x'.repeat(5_000) };
    const { error: kept } = decodeAttempt(encodeAttempt({ ...ATTEMPT, error }));
    expect(kept).toEqual({ code: 'tls', text: 'x'.repeat(160) });
  });

  it('is stored with the beginning of where it went to', () => {
    const url = `https://studio.example/${'x'.repeat(1_900)}`;
    expect(decodeAttempt(encodeAttempt({ ...ATTEMPT, url })).url).toBe(url.slice(0, 500));
  });

  it('takes no answer that was not cut', () => {
    expect(() => encodeAttempt({ ...ATTEMPT, answer: 'x'.repeat(1_501) })).toThrow(Defect);
  });
});

describe('an answer', () => {
  it('is cut at 1,024 bytes, between two characters', () => {
    expect(cutAnswer('short')).toBe('short');
    expect(cutAnswer('x'.repeat(2_000))).toBe('x'.repeat(1_024));
    // Each euro sign has three bytes.
    expect(cutAnswer('€'.repeat(1_000))).toBe('€'.repeat(341));
    expect(cutAnswer(Buffer.from([0x61, 0xff]))).toBe('a\ufffd');
  });
});
