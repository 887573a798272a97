import { describe, expect, it } from 'vitest';
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
  RETRIED_DECLINE_CLASSES,
  retriesFitGrace,
} from './dunning.policy.js';

const DUE = '2027-02-28T10:00:00.000Z';
const hours = (count: number) => addHours(DUE, count);
interface Failure {
  readonly declineClass?: DeclineClass;
  readonly before?: Dunning | null;
  readonly policy?: DunningPolicy;
  readonly attemptedAt?: string;
}
const fail = (failedAt: string, failure: Failure = {}) => {
  const { declineClass = 'soft', before = null, policy = DEFAULT_DUNNING } = failure;
  const { attemptedAt = failedAt } = failure;
  return decideAfterFailure(policy, before, { declineClass, attemptedAt, failedAt });
};
const onceFailed: Dunning = {
  firstFailedAt: DUE,
  graceEndsAt: hours(48),
  failedAttempts: 1,
  nextRetryAt: hours(24),
  schedule: planned(24, 48),
};

function planned(...retryHours: number[]) {
  const { retriedDeclineClasses } = DEFAULT_DUNNING;
  return { retriesAt: retryHours.map(hours), retriedDeclineClasses };
}

describe('a policy', () => {
  it('has its retries within grace, the last one at its very end', () => {
    expect(retriesFitGrace(DEFAULT_DUNNING)).toBe(true);
    expect(retriesFitGrace({ ...DEFAULT_DUNNING, graceHours: 0, retryAfterHours: [] })).toBe(true);
    expect(retriesFitGrace({ ...DEFAULT_DUNNING, graceHours: 47 })).toBe(false);
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

  it.each([
    ['no grace', 0, 0, 1],
    ['no grace, after an outage', 0, 90, 91],
    ['an hour of grace that is nearly over', 1, 0.75, 1.75],
  ])('leaves the gateway an hour where there is %s', (_what, graceHours, late, ends) => {
    const policy = { ...DEFAULT_DUNNING, graceHours, retryAfterHours: [] };
    const at = { dueAt: DUE, chargedAt: hours(late) };
    expect(graceOfPendingCharge(policy, at)).toBe(hours(ends));
  });
});

describe('a failed attempt', () => {
  it('begins grace and is retried within it', () => {
    const decided = { graceEndsAt: hours(48), nextRetryAt: hours(24), isOver: false };
    expect(fail(DUE)).toEqual({ ...decided, schedule: planned(24, 48) });
  });

  it('counts from the first failure, however late a retry was made', () => {
    const late = fail(hours(30), { before: onceFailed });
    expect(late).toMatchObject({ graceEndsAt: hours(48), nextRetryAt: hours(48) });
  });

  it.each([
    ['more grace and other retries', { graceHours: 200, retryAfterHours: [30, 100] }],
    ['no retries and no grace', { graceHours: 0, retryAfterHours: [] }],
    ['no class retried', { retriedDeclineClasses: [] }],
  ])('keeps to the settings of the first failure under %s', (_change, changes) => {
    const policy = { ...DEFAULT_DUNNING, ...changes };
    const decided = fail(hours(24), { before: onceFailed, policy });
    const { graceEndsAt } = onceFailed;
    const next = { nextRetryAt: hours(48), schedule: planned(48), isOver: false };
    expect(decided).toEqual({ graceEndsAt, ...next });
  });

  it('with no retry left waits for the end of grace, and ends access with it', () => {
    expect(fail(hours(47), { before: onceFailed })).toMatchObject({ nextRetryAt: hours(48) });
    const last = fail(hours(48), { before: onceFailed });
    expect(last).toMatchObject({ graceEndsAt: hours(48), nextRetryAt: null, isOver: true });
  });

  it.each([
    ['at the end of grace', 24, 48, 48],
    ['after it, by an outage', 24, 51, 48],
    ['after it, and was made behind that retry', 49, 51, null],
    ['after it, and was that retry', 48, 49, null],
  ])('that was open and fails %s leaves the retry that is due at that end', (...row) => {
    const [, attempted, failed, next] = row;
    const times = { before: onceFailed, attemptedAt: hours(attempted) };
    const nextRetryAt = next === null ? null : hours(next);
    expect(fail(hours(failed), times)).toMatchObject({ nextRetryAt, isOver: next === null });
  });

  it.each(DECLINE_CLASSES)('of class %s is retried unless the bank is sure', (declineClass) => {
    const isSure = declineClass === 'hard' || declineClass === 'fraud';
    const decided = fail(DUE, { declineClass });
    expect(decided).toEqual({
      graceEndsAt: hours(48),
      nextRetryAt: isSure ? null : hours(24),
      schedule: planned(24, 48),
      isOver: false,
    });
  });

  it.each(RETRIED_DECLINE_CLASSES)('of class %s alone is retried where it alone is set', (set) => {
    const policy = { ...DEFAULT_DUNNING, retriedDeclineClasses: [set] };
    const retried = DECLINE_CLASSES.filter(
      (declineClass) => fail(DUE, { declineClass, policy }).nextRetryAt !== null,
    );
    expect(retried).toEqual([set]);
  });

  it('that is hard takes no retry from a later soft one', () => {
    const declined = fail(DUE, { declineClass: 'hard' });
    const before = dunningAfter(null, { attempt: 1, failedAt: DUE, ...declined });
    expect(fail(hours(1), { before }).nextRetryAt).toBe(hours(24));
  });

  it('without any grace ends access at once', () => {
    const policy = { ...DEFAULT_DUNNING, graceHours: 0, retryAfterHours: [] };
    const ended = { graceEndsAt: DUE, nextRetryAt: null, isOver: true };
    expect(fail(DUE, { policy })).toMatchObject(ended);
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
    retriedDeclineClasses: fc.subarray([...RETRIED_DECLINE_CLASSES]),
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

it('any change of settings after the first failure leaves the period as it is', () => {
  const policy: fc.Arbitrary<DunningPolicy> = fc.record({
    graceHours: fc.integer({ min: 0, max: 100 }),
    retryAfterHours: fc
      .uniqueArray(fc.integer({ min: 1, max: 100 }), { maxLength: 6 })
      .map((all) => all.sort((a, b) => a - b)),
    retriedDeclineClasses: fc.subarray([...RETRIED_DECLINE_CLASSES]),
  });
  const follow = (policies: readonly DunningPolicy[], classes: readonly DeclineClass[]) => {
    const failures: unknown[] = [];
    let before: Dunning | null = null;
    for (const [at, declineClass] of classes.entries()) {
      const failedAt: string = before?.nextRetryAt ?? DUE;
      const decided = fail(failedAt, { before, declineClass, policy: policies[at]! });
      failures.push(decided);
      before = dunningAfter(before, { attempt: at + 1, failedAt, ...decided });
      if (decided.nextRetryAt === null) break;
    }
    return failures;
  };
  fc.assert(
    fc.property(
      fc.array(policy, { minLength: 7, maxLength: 7 }),
      fc.array(fc.constantFrom(...DECLINE_CLASSES), { maxLength: 7 }),
      (policies, classes) => {
        const unchanged = policies.map(() => policies[0]!);
        expect(follow(policies, classes)).toEqual(follow(unchanged, classes));
      },
    ),
  );
});
