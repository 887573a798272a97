import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addHours } from '../calendar/index.js';
import { DECLINE_CLASSES, type DeclineClass } from '../payment/index.js';
import {
  decideAfterFailure,
  type Dunning,
  dunningAfter,
  isOutOfRetries,
  nextAttempt,
} from './dunning.js';
import {
  DEFAULT_DUNNING,
  type DunningPolicy,
  graceOfPendingCharge,
  retriesFitGrace,
} from './dunning.policy.js';

const DUE = '2027-02-28T10:00:00.000Z';
const hours = (count: number) => addHours(DUE, count);
interface Failure {
  readonly declineClass?: DeclineClass;
  readonly before?: Dunning | null;
  readonly policy?: DunningPolicy;
}
const fail = (failedAt: string, failure: Failure = {}) => {
  const { declineClass = 'soft', before = null, policy = DEFAULT_DUNNING } = failure;
  return decideAfterFailure(policy, before, { declineClass, failedAt });
};
const onceFailed: Dunning = {
  firstFailedAt: DUE,
  graceEndsAt: hours(48),
  failedAttempts: 1,
  nextRetryAt: hours(24),
};

describe('a policy', () => {
  it('has its retries within grace, the last one at its very end', () => {
    expect(retriesFitGrace(DEFAULT_DUNNING)).toBe(true);
    expect(retriesFitGrace({ graceHours: 0, retryAfterHours: [] })).toBe(true);
    expect(retriesFitGrace({ graceHours: 47, retryAfterHours: [24, 48] })).toBe(false);
  });
});

describe('grace while a charge is pending', () => {
  it.each([
    ['on time', 0, 48],
    ['an hour late, which is on time', 1, 48],
    ['later than that, by an outage', 90, 90 + 48],
  ])('counts for a charge %s', (_when, late, ends) => {
    const at = { dueAt: DUE, chargedAt: hours(late) };
    expect(graceOfPendingCharge(DEFAULT_DUNNING, at)).toBe(hours(ends));
  });
});

describe('a failed attempt', () => {
  it('begins grace and is retried within it', () => {
    const decided = { graceEndsAt: hours(48), nextRetryAt: hours(24), isOver: false };
    expect(fail(DUE)).toEqual(decided);
  });

  it('counts from the first failure, however late a retry was made', () => {
    const late = fail(hours(30), { before: onceFailed });
    expect(late).toEqual({ graceEndsAt: hours(48), nextRetryAt: hours(48), isOver: false });
  });

  it('keeps the grace that the first failure began, also where the policy has changed since', () => {
    const policy = { graceHours: 200, retryAfterHours: [24, 100] };
    const decided = fail(hours(24), { before: onceFailed, policy });
    expect(decided).toMatchObject({ graceEndsAt: hours(48), nextRetryAt: null });
  });

  it('with no retry left waits for the end of grace, and ends access with it', () => {
    expect(fail(hours(47), { before: onceFailed })).toMatchObject({ nextRetryAt: hours(48) });
    const last = fail(hours(48), { before: onceFailed });
    expect(last).toEqual({ graceEndsAt: hours(48), nextRetryAt: null, isOver: true });
  });

  it.each(DECLINE_CLASSES)('of class %s is retried unless the bank is sure', (declineClass) => {
    const isSure = declineClass === 'hard' || declineClass === 'fraud';
    const decided = fail(DUE, { declineClass });
    expect(decided).toEqual({
      graceEndsAt: hours(48),
      nextRetryAt: isSure ? null : hours(24),
      isOver: false,
    });
  });

  it('without any grace ends access at once', () => {
    const policy = { graceHours: 0, retryAfterHours: [] };
    expect(fail(DUE, { policy })).toEqual({ graceEndsAt: DUE, nextRetryAt: null, isOver: true });
  });

  it('is folded as it was decided, and the next attempt counts on', () => {
    const failed = { attempt: 1, failedAt: DUE, ...fail(DUE) };
    expect(dunningAfter(null, failed)).toEqual(onceFailed);
    const second = { ...failed, attempt: 2, failedAt: hours(24), nextRetryAt: null };
    const twiceFailed = dunningAfter(onceFailed, second);
    expect(twiceFailed).toMatchObject({ firstFailedAt: DUE, failedAttempts: 2 });
    expect([null, onceFailed, twiceFailed].map(nextAttempt)).toEqual([1, 2, 3]);
    expect([null, onceFailed, twiceFailed].map(isOutOfRetries)).toEqual([false, false, true]);
  });
});

it('under any policy each retry lies ahead and within grace, and attempts come to an end', () => {
  const policy: fc.Arbitrary<DunningPolicy> = fc.record({
    graceHours: fc.integer({ min: 0, max: 400 }),
    retryAfterHours: fc
      .array(fc.integer({ min: 0, max: 500 }), { maxLength: 8 })
      .map((all) => [...new Set(all)].sort((a, b) => a - b)),
  });
  fc.assert(
    fc.property(policy, fc.array(fc.integer({ min: 0, max: 50 })), (anyPolicy, delays) => {
      let before: Dunning | null = null;
      let failedAt = DUE;
      for (let attempt = 1; attempt <= anyPolicy.retryAfterHours.length + 1; attempt += 1) {
        const decided = fail(failedAt, { before, policy: anyPolicy });
        before = dunningAfter(before, { attempt, failedAt, ...decided });
        if (decided.nextRetryAt === null) return;
        expect(decided.nextRetryAt > failedAt).toBe(true);
        expect(decided.nextRetryAt <= decided.graceEndsAt).toBe(true);
        failedAt = addHours(decided.nextRetryAt, delays[attempt] ?? 0);
      }
      expect(before?.nextRetryAt).toBeNull();
    }),
  );
});
