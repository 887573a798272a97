import { describe, expect, it } from 'vitest';
import { type EgressAnswer, EgressConnections } from '#egress';
import { wallClock } from '#platform';
import { RETRY_AFTER_MAX_MS } from '../../limits.js';
import { DeliveryFailed, retryAfterMs, send, summarizeAnswer } from './send.js';

it('the reason of a failure is short, however much text of a receiver is in it', () => {
  // As the client says it of a certificate for thousands of other names.
  const text = `the names do not match: ${'DNS:example.com, '.repeat(5_000)}`;
  const failed = new DeliveryFailed(text, { code: 'tls', durationMs: 1 });
  expect(failed.message).toHaveLength(200);
  expect(failed.message).toMatch(/^the names do not match: DNS:.*…$/);
});

describe('an attempt at an address that is refused as it is written', () => {
  it.each([
    ['https://127.0.0.1/', 'it leads to an address that is not public'],
    ['http://receiver.example/', 'its scheme is not https'],
    ['https://receiver.example:25/', 'its port is none that webhooks may go to'],
  ])('asks no resolver: %s', async (url, reason) => {
    const attempting = send({
      ...{ endpointId: 'whe_1', url, rules: { allowInsecure: false, ports: [[443, 443]] } },
      ...{ headers: {}, body: '{}', accept: '2xx', clock: wallClock },
      ...{ connections: new EgressConnections(), signal: new AbortController().signal },
    });
    await expect(attempting).rejects.toMatchObject({
      details: { code: 'forbidden_address' },
      message: `the address is refused: ${reason}`,
    });
  });
});

describe('what is kept of an answer', () => {
  const answer: EgressAnswer = {
    ...{ status: 200, headers: {}, body: Buffer.from('ok'), remoteAddress: '93.184.216.34' },
  };

  it('is its status, its beginning and how long it took', () => {
    expect(summarizeAnswer(answer, 12)).toEqual({ status: 200, durationMs: 12, body: 'ok' });
  });

  it('is the first kilobyte of its text, without half a letter', () => {
    const body = Buffer.from(`${'x'.repeat(1_023)}Ž and more`);
    expect(summarizeAnswer({ ...answer, body }, 1).body).toBe('x'.repeat(1_023));
    const binary = Buffer.from([0xff, 0x41]);
    expect(summarizeAnswer({ ...answer, body: binary }, 1).body).toBe('\ufffdA');
  });
});

describe('what a receiver asks for by Retry-After', () => {
  const nowMs = Date.parse('2026-01-01T00:00:00.000Z');

  it.each([
    [undefined, 0],
    ['', 0],
    ['120', 120_000],
    [' 120 ', 120_000],
    ['0', 0],
    ['soon', 0],
    ['soon 2030', 0],
    ['-5', 0],
    ['1.5', 0],
    ['1e9', 0],
    ['120, 60', 0],
    ['2026-01-01T00:01:00Z', 0],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Thursday, 01-Jan-26 00:01:00 GMT', 60_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['Fri, 31 Dec 9999 23:59:59 GMT', RETRY_AFTER_MAX_MS],
    ['Fri, 99 Foo 2026 00:00:00 GMT', 0],
    ['999999999', RETRY_AFTER_MAX_MS],
    ['9'.repeat(1_000), RETRY_AFTER_MAX_MS],
  ])('%s is %i ms', (header, waitMs) => expect(retryAfterMs(header, nowMs)).toBe(waitMs));

  it('is the first of several', () => {
    expect(retryAfterMs(['1', '2'], nowMs)).toBe(1_000);
    expect(retryAfterMs([], nowMs)).toBe(0);
  });
});
