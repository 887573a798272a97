import { deepEqual } from 'fast-equals';
import { fitsCalendar } from '../calendar/index.js';
import {
  accept,
  type AnyRejection,
  type Decision,
  defineAggregate,
  type FieldViolation,
  reject,
  rejectFields,
} from '../decider/index.js';
import type { Instant } from '../event/index.js';
import type { PlanCreated, PlanEvent, PlanStatusChanged, PlanTerms } from './plan.events.js';
import { evolvePlan, noPlan, type Plan, type PlanStatus } from './plan.state.js';

export type PlanCommand =
  | { readonly kind: 'CreatePlan'; readonly plan: PlanCreated['data'] }
  /** Gives up a plan that is not created: its code is wanted by another. */
  | { readonly kind: 'AbandonPlan'; readonly now: Instant }
  | { readonly kind: 'RevisePlan'; readonly changes: Partial<PlanTerms>; readonly now: Instant }
  | { readonly kind: 'ChangePlanStatus'; readonly to: PlanStatus; readonly now: Instant };

export interface PlanRejection extends AnyRejection {
  readonly code:
    | 'plan/beyond_calendar'
    | 'plan/code_taken'
    | 'plan/not_found'
    | 'plan/invalid_availability_window';
  readonly violations?: readonly FieldViolation[];
}

/** The periods that would end after the year 9999 if a subscription began now (rules/api 7). */
export function calendarViolations(
  { billingPeriod, trial }: { readonly [Term in 'billingPeriod' | 'trial']: PlanTerms['trial'] },
  now: Instant,
): FieldViolation[] {
  const description = 'would end after the year 9999';
  const violations: FieldViolation[] = [];
  if (billingPeriod !== null && !fitsCalendar(now, billingPeriod)) {
    violations.push({ field: 'billingPeriodValue', description });
  }
  if (trial !== null && !fitsCalendar(now, trial)) {
    violations.push({ field: 'trialPeriodValue', description });
  }
  return violations;
}

/** A window that never opens, by the end of it that was changed (rules/api 12). */
function windowViolations(
  changes: Partial<PlanTerms>,
  { availableFrom, availableUntil }: PlanTerms,
): FieldViolation[] {
  if (availableFrom === null || availableUntil === null || availableFrom < availableUntil)
    return [];
  if (changes.availableUntil !== undefined) {
    const description = `must lie behind availableFrom, which is ${availableFrom}`;
    return [{ field: 'availableUntil', description }];
  }
  const description = `must lie before availableUntil, which is ${availableUntil}`;
  return [{ field: 'availableFrom', description }];
}

const EVENT_FOR = {
  archived: 'plan.archived.v1',
  deprecated: 'plan.deprecated.v1',
  active: 'plan.activated.v1',
} as const satisfies Record<PlanStatus, PlanStatusChanged['type']>;

/** Decides for one plan (rules/api 17). Running subscriptions keep their terms. */
function decidePlan(command: PlanCommand, state: Plan): Decision<PlanEvent, PlanRejection> {
  if (command.kind === 'CreatePlan') {
    if (state.status !== 'none') return accept();
    if (state.isAbandoned) return reject('plan/code_taken', command.plan.code);
    return accept({ type: 'plan.created.v1', data: command.plan });
  }
  if (command.kind === 'AbandonPlan') {
    if (state.status !== 'none') return reject('plan/code_taken', state.code);
    if (state.isAbandoned) return accept();
    return accept({ type: 'plan.abandoned.v1', data: { abandonedAt: command.now } });
  }
  if (state.status === 'none') return reject('plan/not_found');
  if (command.kind === 'ChangePlanStatus') {
    if (state.status === command.to) return accept();
    return accept({ type: EVENT_FOR[command.to], data: { changedAt: command.now } });
  }
  const terms = { ...state, ...command.changes };
  const late = calendarViolations(terms, command.now);
  const window = windowViolations(command.changes, terms);
  if (late.length > 0) return rejectFields('plan/beyond_calendar', [...late, ...window]);
  if (window.length > 0) return rejectFields('plan/invalid_availability_window', window);
  const isChange = Object.entries(command.changes).some(
    ([field, value]) => !deepEqual(value, state[field as keyof PlanTerms]),
  );
  if (!isChange) return accept();
  return accept({ type: 'plan.revised.v1', data: { ...command.changes, revisedAt: command.now } });
}

export const planAggregate = defineAggregate('plan', {
  initialState: noPlan,
  evolve: evolvePlan,
  decide: decidePlan,
});
