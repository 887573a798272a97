import { describe, expect, it } from 'vitest';
import { isSignedQuestion, signQuestion } from './signature.js';

const [present, former] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const path = '/reports/tax?app=app_1&period=2026-01';
const nowMs = 1_770_000_000_000;

describe('the signature of a question to a bookkeeper', () => {
  const signature = signQuestion(former, path, nowMs);

  it('is taken under the present key and a former one, for a minute', () => {
    const keys = [present, former];
    expect(isSignedQuestion(keys, path, { signature, nowMs })).toBe(true);
    expect(isSignedQuestion(keys, path, { signature, nowMs: nowMs + 60_000 })).toBe(true);
    expect(isSignedQuestion(keys, path, { signature, nowMs: nowMs + 60_001 })).toBe(false);
    expect(isSignedQuestion(keys, path, { signature, nowMs: nowMs - 60_001 })).toBe(false);
  });

  it('is of one key, one path and one moment', () => {
    const [, tag = ''] = signature.split('.');
    const keys = [former];
    expect(isSignedQuestion([present], path, { signature, nowMs })).toBe(false);
    expect(isSignedQuestion([], path, { signature, nowMs })).toBe(false);
    expect(isSignedQuestion(keys, `${path}&x`, { signature, nowMs })).toBe(false);
    for (const other of [
      `${nowMs + 1}.${tag}`,
      `${nowMs}.`,
      `${nowMs}`,
      `.${tag}`,
      `x.${tag}`,
      '',
    ]) {
      expect(isSignedQuestion(keys, path, { signature: other, nowMs })).toBe(false);
    }
  });
});
