import { describe, expect, it } from 'vitest';
import { given } from '../decider/spec-support/given.js';
import { planCodeAggregate, planCodeId } from './plan-code.js';
import { calendarViolations, type PlanCommand, planAggregate } from './plan.decide.js';
import type { PlanCreated, PlanEvent } from './plan.events.js';
import { isAvailable, noPlan, PLAN_STATUSES, priceIn } from './plan.state.js';

const { decider: planDecider } = planAggregate;

const T0 = '2027-01-31T10:00:00.000Z';
const T1 = '2027-02-10T10:00:00.000Z';
const created: PlanCreated = {
  type: 'plan.created.v1',
  data: {
    planId: 'plan_1',
    appId: 'app_1',
    segmentId: 'default',
    code: 'gold',
    name: 'Gold',
    description: '',
    billingPeriod: { value: 1, unit: 'month' },
    prices: [
      { amountMinor: '999', currency: 'USD' },
      { amountMinor: '980', currency: 'JPY' },
    ],
    trial: null,
    benefitsJson: '',
    trialOncePerPlayer: false,
    onePerPlayer: false,
    exclusiveGroup: '',
    availableFrom: null,
    availableUntil: null,
    createdAt: T0,
  },
};
const to = (status: (typeof PLAN_STATUSES)[number]): PlanCommand => ({
  kind: 'ChangePlanStatus',
  to: status,
  now: T1,
});
const revise = (changes: Extract<PlanCommand, { kind: 'RevisePlan' }>['changes']): PlanCommand => ({
  kind: 'RevisePlan',
  changes,
  now: T1,
});

/** The fields for which a revision is refused. */
function named(command: PlanCommand, history: readonly PlanEvent[]): string[] {
  const decision = planDecider.decide(command, after(...history));
  if (decision.accepted) return [];
  return (decision.rejection.violations ?? []).map(({ field }) => field);
}

describe('a plan', () => {
  it('is active once it is created, and is created once', () => {
    const create: PlanCommand = { kind: 'CreatePlan', plan: created.data };
    expect(given(planDecider).when(create)).toEqual([created]);
    expect(after(created)).toMatchObject({ status: 'active', updatedAt: T0 });
    expect(given(planDecider, created).when(create)).toEqual([]);
  });

  it('that was never created is not found', () => {
    for (const command of [to('archived'), revise({ name: 'Silver' })]) {
      expect(given(planDecider).when(command)).toBe('plan/not_found');
    }
  });

  it('that was abandoned before it was created never is', () => {
    const abandon: PlanCommand = { kind: 'AbandonPlan', now: T1 };
    const create: PlanCommand = { kind: 'CreatePlan', plan: created.data };
    const abandoned = { type: 'plan.abandoned.v1', data: { abandonedAt: T1 } } as const;
    expect(given(planDecider).when(abandon)).toEqual([abandoned]);
    expect(given(planDecider, abandoned).when(abandon)).toEqual([]);
    expect(given(planDecider, abandoned).when(create)).toBe('plan/code_taken');
    expect(given(planDecider, abandoned).when(to('archived'))).toBe('plan/not_found');
    expect(given(planDecider, created).when(abandon)).toBe('plan/code_taken');
    expect(given(planDecider, abandoned, created).state).toMatchObject({ status: 'none' });
    expect(given(planDecider, created, abandoned).state).toMatchObject({ status: 'active' });
  });

  it('goes from any status to any other, and to its own without a trace', () => {
    for (const from of PLAN_STATUSES) {
      const history = [created, ...decideEvents(to(from), created)];
      for (const next of PLAN_STATUSES) {
        const events = decideEvents(to(next), ...history);
        expect(events).toHaveLength(next === from ? 0 : 1);
        expect(after(...history, ...events).status).toBe(next);
      }
    }
  });

  it('is revised field by field; what is named and equal is no change', () => {
    const events = decideEvents(revise({ name: 'Gold', description: 'New' }), created);
    expect(events).toMatchObject([{ data: { description: 'New', revisedAt: T1 } }]);
    expect(after(created, ...events)).toMatchObject({ description: 'New', updatedAt: T1 });
    const same = revise({ name: 'Gold', prices: [...created.data.prices] });
    expect(given(planDecider, created).when(same)).toEqual([]);
    const { value, unit } = created.data.billingPeriod;
    const inOtherOrder = revise({ billingPeriod: { unit, value } });
    expect(given(planDecider, created).when(inOtherOrder)).toEqual([]);
    expect(given(planDecider, created).when(revise({}))).toEqual([]);
  });

  it('cannot be revised to a window that never opens', () => {
    const until = [created, ...decideEvents(revise({ availableUntil: T1 }), created)];
    for (const availableFrom of [T1, '2028-01-01T00:00:00.000Z']) {
      const outcome = given(planDecider, ...until).when(revise({ availableFrom }));
      expect(outcome).toBe('plan/invalid_availability_window');
    }
    expect(named(revise({ availableFrom: T1 }), until)).toEqual(['availableFrom']);
    expect(named(revise({ availableFrom: T1, availableUntil: T0 }), until)).toEqual([
      'availableUntil',
    ]);
    const billingPeriod = { value: 9000, unit: 'year' } as const;
    expect(named(revise({ availableFrom: T1, billingPeriod }), until)).toEqual([
      'billingPeriodValue',
      'availableFrom',
    ]);
    expect(given(planDecider, ...until).when(revise({ availableFrom: T0 }))).toHaveLength(1);
  });

  it.each([
    [{ billingPeriod: { value: 9000, unit: 'year' } }, 'billingPeriodValue'],
    [{ trial: { value: 9999, unit: 'year' } }, 'trialPeriodValue'],
  ] as const)('has no period that would end after the year 9999: %j', (changes, field) => {
    expect(given(planDecider, created).when(revise(changes))).toBe('plan/beyond_calendar');
    expect(calendarViolations({ ...created.data, ...changes }, T0)).toMatchObject([{ field }]);
    expect(calendarViolations(created.data, '9999-12-31T00:00:00.000Z')).not.toEqual([]);
    expect(calendarViolations(created.data, T0)).toEqual([]);
  });

  it('can be bought while it is active and its window is open', () => {
    const inWindow = after(
      created,
      ...decideEvents(revise({ availableFrom: T0, availableUntil: T1 }), created),
    );
    expect(isAvailable(inWindow, '2027-01-31T09:59:59.999Z')).toBe(false);
    expect(isAvailable(inWindow, T0)).toBe(true);
    expect(isAvailable(inWindow, '2027-02-10T09:59:59.999Z')).toBe(true);
    expect(isAvailable(inWindow, T1)).toBe(false);
    for (const status of ['archived', 'deprecated'] as const) {
      expect(isAvailable(after(created, ...decideEvents(to(status), created)), T0)).toBe(false);
    }
    expect(isAvailable(noPlan, T0)).toBe(false);
  });

  it('has a price in some currencies', () => {
    const plan = after(created);
    expect(priceIn(plan, 'JPY')).toEqual({ amountMinor: '980', currency: 'JPY' });
    expect(priceIn(plan, 'EUR')).toBeUndefined();
  });
});

describe('the code of a plan', () => {
  const { decider } = planCodeAggregate;
  const data = { appId: 'app_1', segmentId: 'default', code: 'gold', planId: 'plan_1' };
  const reserved = { type: 'plan_code.reserved.v1', data } as const;
  const reserve = { kind: 'ReservePlanCode', reservation: data } as const;
  const byAnother = { ...reserve, reservation: { ...data, planId: 'plan_2' } };

  it('is reserved once within its segment', () => {
    expect(given(decider).when(reserve)).toEqual([reserved]);
    expect(given(decider, reserved).when(reserve)).toEqual([]);
    expect(given(decider, reserved).when(byAnother)).toBe('plan/code_taken');
    expect(planCodeId('app_1', 'default', 'gold')).toBe('app_1/default/gold');
  });

  it('is taken over from a plan that was never created, and from no other', () => {
    const takeOver = { ...byAnother, abandonedPlanId: 'plan_1' };
    const events = given(decider, reserved).when(takeOver);
    expect(events).toEqual([{ ...reserved, data: { ...data, planId: 'plan_2' } }]);
    const wrongly = { ...byAnother, abandonedPlanId: 'plan_9' };
    expect(given(decider, reserved).when(wrongly)).toBe('plan/code_taken');
  });
});

function decideEvents(command: PlanCommand, ...history: PlanEvent[]): readonly PlanEvent[] {
  const outcome = given(planDecider, ...history).when(command);
  if (typeof outcome === 'string') throw new Error(outcome);
  return outcome;
}

function after(...history: PlanEvent[]) {
  const { state } = given(planDecider, ...history);
  if (state.status === 'none') throw new Error('the history creates no plan');
  return state;
}
