import type { Period, PeriodUnit } from '#domain/calendar';
import { parseInstant } from '#domain/calendar';
import type { Instant } from '#domain/event';
import { money } from '#domain/money';
import type { PlanTerms } from '#domain/plan';
import { NO_BOUNDS } from '#domain/player-plans';
import type { FieldViolation, WellFormed } from '#nest';
import type { PlanTermsBody } from './plan-body.dto.js';

/**
 * The terms that a body names, in the domain's words; fields that it leaves out are left out, and
 * those that it sends as `""` are not set (rules/api 1).
 */
export function planChanges(body: Partial<PlanTermsBody>): Partial<PlanTerms> {
  const billingPeriod = period(body.billingPeriodValue, body.billingPeriodUnit);
  const { trialPeriodValue, trialPeriodUnit } = body;
  const trial = trialPeriodValue === '' ? null : period(trialPeriodValue, trialPeriodUnit);
  return {
    ...(body.name !== undefined && { name: body.name }),
    ...(body.description !== undefined && { description: body.description }),
    ...(billingPeriod && { billingPeriod }),
    ...(body.prices && {
      prices: body.prices.map(({ amountCents, currency }) => money(amountCents, currency)),
    }),
    ...(trial !== undefined && { trial }),
    ...(body.benefitsJson !== undefined && { benefitsJson: body.benefitsJson }),
    ...(body.trialOncePerPlayer !== undefined && { trialOncePerPlayer: body.trialOncePerPlayer }),
    ...(body.onePerPlayer !== undefined && { onePerPlayer: body.onePerPlayer }),
    ...(body.exclusiveGroup !== undefined && { exclusiveGroup: body.exclusiveGroup }),
    ...(body.availableFrom !== undefined && { availableFrom: instant(body.availableFrom) }),
    ...(body.availableUntil !== undefined && { availableUntil: instant(body.availableUntil) }),
  };
}

/** The terms of a new plan: fields that its body leaves out are empty. */
export function planTerms(body: PlanTermsBody): PlanTerms {
  const empty = {
    description: '',
    trial: null,
    benefitsJson: '',
    ...NO_BOUNDS,
    availableFrom: null,
    availableUntil: null,
  };
  // The DTO requires the name, the billing period and the prices: nothing is missing here.
  return { ...empty, ...planChanges(body) } as PlanTerms;
}

/** Contradictions in a body: halves of periods, and a window that ends before it begins. */
export function termsViolations(body: WellFormed<PlanTermsBody>): FieldViolation[] {
  const violations = periodViolations(body);
  const [from, until] = [instant(body.availableFrom ?? ''), instant(body.availableUntil ?? '')];
  if (from !== null && until !== null && from >= until) {
    violations.push({ field: 'availableUntil', description: 'must lie behind availableFrom' });
  }
  return violations;
}

/**
 * A period is a value and a unit, or two empty texts where there is none; one alone says nothing.
 */
export function periodViolations(body: WellFormed<PlanTermsBody>): FieldViolation[] {
  const violations: FieldViolation[] = [];
  for (const [value, unit] of [
    ['billingPeriodValue', 'billingPeriodUnit'],
    ['trialPeriodValue', 'trialPeriodUnit'],
  ] as const) {
    if (presence(body[value]) === presence(body[unit])) continue;
    const field = presence(body[value]) < presence(body[unit]) ? value : unit;
    violations.push({ field, description: 'is needed together with the other half of the period' });
  }
  return violations;
}

/** 0: left out; 1: sent as empty; 2: set. */
function presence(half: string | undefined): number {
  if (half === undefined) return 0;
  return half === '' ? 1 : 2;
}

function period(value: string | undefined, unit: PeriodUnit | '' | undefined): Period | undefined {
  if (value === undefined || unit === undefined || unit === '') return undefined;
  return { value: Number(value), unit };
}

function instant(text: string): Instant | null {
  return parseInstant(text) ?? null;
}
