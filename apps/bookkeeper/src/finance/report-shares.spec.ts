import { describe, expect, it } from 'vitest';
import { ReportShares } from './report-shares.js';

describe('the shares of reports', () => {
  it('are two for an app and four for all', () => {
    const shares = new ReportShares();
    expect(shares.take('a')).toBeDefined();
    const second = shares.take('a');
    expect(shares.take('a')).toBeUndefined();
    expect(shares.take('b')).toBeDefined();
    expect(shares.take('c')).toBeDefined();
    expect(shares.take('d')).toBeUndefined();
    second?.();
    expect(shares.take('d')).toBeDefined();
    expect(shares.take('a')).toBeUndefined();
  });
});
