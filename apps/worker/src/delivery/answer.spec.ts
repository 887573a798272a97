import { describe, expect, it } from '@jest/globals';
import type { EgressAnswer } from '#egress';
import { summarizeAnswer } from './answer.js';

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
