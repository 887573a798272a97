import type { Period, PeriodUnit } from '#domain/calendar';
import { parseInstant } from '#domain/calendar';
import type { Instant } from '#domain/fact';
import { money } from '#domain/money';
import type { PlanTerms } from '#domain/plan';
import { type FieldViolation, invalidFields } from '../http/api-error.js';
import type { PlanTermsBody } from './plan-body.dto.js';

/** The terms that a body names, in the domain's words; fields that it leaves out are left out. */
export function planChanges(body: Partial<PlanTermsBody>): Partial<PlanTerms> {
  requireWholePeriods(body);
  const billingPeriod = period(body.billingPeriodValue, body.billingPeriodUnit);
  const trial = period(body.trialPeriodValue, body.trialPeriodUnit);
  return {
    ...(body.name !== undefined && { name: body.name }),
    ...(body.description !== undefined && { description: body.description }),
    ...(billingPeriod && { billingPeriod }),
    ...(body.prices && {
      prices: body.prices.map(({ amountCents, currency }) => money(amountCents, currency)),
    }),
    ...(trial && { trial }),
    ...(body.benefitsJson !== undefined && { benefitsJson: body.benefitsJson }),
    ...(body.availableFrom !== undefined && { availableFrom: instant(body.availableFrom) }),
    ...(body.availableUntil !== undefined && { availableUntil: instant(body.availableUntil) }),
  };
}

/** The terms of a new plan: what its body leaves out is empty. */
export function planTerms(body: PlanTermsBody): PlanTerms {
  const empty = {
    description: '',
    trial: null,
    benefitsJson: '',
    availableFrom: null,
    availableUntil: null,
  };
  // The DTO requires the name, the billing period and the prices: nothing is missing here.
  const terms = { ...empty, ...planChanges(body) } as PlanTerms;
  const { availableFrom, availableUntil } = terms;
  if (availableFrom !== null && availableUntil !== null && availableFrom >= availableUntil) {
    throw invalidFields([
      { field: 'availableUntil', description: 'must lie behind availableFrom' },
    ]);
  }
  return terms;
}

/** A period is a value and a unit; one of them alone says nothing. */
function requireWholePeriods(body: Partial<PlanTermsBody>): void {
  const violations: FieldViolation[] = [];
  for (const [value, unit] of [
    ['billingPeriodValue', 'billingPeriodUnit'],
    ['trialPeriodValue', 'trialPeriodUnit'],
  ] as const) {
    if ((body[value] === undefined) === (body[unit] === undefined)) continue;
    const field = body[value] === undefined ? value : unit;
    violations.push({ field, description: 'is needed together with the other half of the period' });
  }
  if (violations.length > 0) throw invalidFields(violations);
}

function period(value: string | undefined, unit: PeriodUnit | undefined): Period | undefined {
  return value === undefined || unit === undefined ? undefined : { value: Number(value), unit };
}

function instant(text: string): Instant | null {
  return parseInstant(text) ?? null;
}
