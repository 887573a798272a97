import { describe, expect, it } from 'vitest';
import { planChanges, planTerms, termsViolations } from './plan-terms.js';

const BODY = {
  name: 'Gold',
  billingPeriodValue: '3',
  billingPeriodUnit: 'month' as const,
  prices: [{ currency: 'USD', amountCents: '999' }],
};

function findBadFields(body: Parameters<typeof termsViolations>[0]): string[] {
  return termsViolations(body).map(({ field }) => field);
}

describe('the terms of a new plan', () => {
  it('are empty where the body leaves them out', () => {
    expect(planTerms(BODY)).toEqual({
      name: 'Gold',
      description: '',
      billingPeriod: { value: 3, unit: 'month' },
      prices: [{ amountMinor: '999', currency: 'USD' }],
      trial: null,
      benefitsJson: '',
      trialOncePerPlayer: false,
      onePerPlayer: false,
      exclusiveGroup: '',
      availableFrom: null,
      availableUntil: null,
    });
  });

  it('have instants in UTC and a trial', () => {
    const terms = planTerms({
      ...BODY,
      trialPeriodValue: '14',
      trialPeriodUnit: 'day',
      availableFrom: '2026-01-31T10:00:00+02:00',
      availableUntil: '2026-02-28T00:00:00Z',
    });
    expect(terms).toMatchObject({
      trial: { value: 14, unit: 'day' },
      availableFrom: '2026-01-31T08:00:00.000Z',
      availableUntil: '2026-02-28T00:00:00.000Z',
    });
  });

  it('need both halves of a period, and name each that is missing', () => {
    expect(findBadFields({ ...BODY, trialPeriodUnit: 'day' })).toEqual(['trialPeriodValue']);
    const half = { billingPeriodValue: '1', trialPeriodValue: '2' };
    expect(findBadFields(half)).toEqual(['billingPeriodUnit', 'trialPeriodUnit']);
  });

  it('take empty texts for what is not set, as answers tell it', () => {
    const empty = {
      description: '',
      trialPeriodValue: '',
      trialPeriodUnit: '',
      benefitsJson: '',
      exclusiveGroup: '',
      availableFrom: '',
      availableUntil: '',
    } as const;
    expect(planTerms({ ...BODY, ...empty })).toEqual(planTerms(BODY));
    const none = { trial: null, availableFrom: null, availableUntil: null };
    expect(planChanges(empty)).toEqual({
      ...{ description: '', benefitsJson: '', exclusiveGroup: '' },
      ...none,
    });
  });

  it.each([
    [{ trialPeriodValue: '', trialPeriodUnit: 'day' }, 'trialPeriodValue'],
    [{ trialPeriodValue: '1', trialPeriodUnit: '' }, 'trialPeriodUnit'],
    [{ trialPeriodValue: '' }, 'trialPeriodUnit'],
  ] as const)('take no half of a trial: %j', (half, field) => {
    expect(findBadFields(half)).toEqual([field]);
  });

  it('have a window that is not empty', () => {
    const at = '2026-01-31T10:00:00Z';
    expect(findBadFields({ ...BODY, availableFrom: at, availableUntil: at })).toEqual([
      'availableUntil',
    ]);
  });
});

describe('changes of a plan', () => {
  it('are what the body names, and no more', () => {
    expect(planChanges({})).toEqual({});
    expect(planChanges({ description: '' })).toEqual({ description: '' });
  });
});
