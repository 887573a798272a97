import { describe, expect, it } from 'vitest';
import type { ReadModelDifference, VerificationReport } from '#verification';
import { printVerification } from './verify-text.js';

const DIFFERENCE: ReadModelDifference = {
  ...{ kind: 'document', id: 'sub_1', streamName: 'subscription-sub_1', partition: 0, revision: 3 },
  ...{ field: 'status', found: '"active"', expected: '"canceled"' },
};
const SOUND: VerificationReport = {
  ...{ checked: 1_000, differences: [], total: 0, uncompared: 0, parked: 0 },
};
const print = (report: VerificationReport) =>
  printVerification({ readModel: 'plans.3.abcdef', generation: 2, state: 'held', report });

describe('the outcome of a verification', () => {
  it('is a line where nothing differs', () => {
    expect(print(SOUND)).toBe(
      'plans.3.abcdef, generation 2 (held): 1,000 documents compared; no difference.',
    );
  });

  it('names each difference with both versions, and counts the rest', () => {
    expect(print({ ...SOUND, differences: [DIFFERENCE], total: 3 })).toBe(
      [
        'document of sub_1: status is "active", by the events "canceled".',
        '2 further differences.',
        'plans.3.abcdef, generation 2 (held): 1,000 documents compared; 3 differences.',
      ].join('\n'),
    );
  });

  it('says which documents it tells nothing of', () => {
    expect(print({ ...SOUND, uncompared: 2, parked: 1 })).toContain(
      'no difference; 2 not compared, since they changed all the time; 1 streams parked, compared up to the event',
    );
  });
});
