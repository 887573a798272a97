import type { Environment } from '#domain/event';
import type { FieldViolation, WellFormed } from '#nest';
import { planViolations } from '../checkout-links/link-rules.js';
import { returnUrlViolations } from '../checkout-links/return-url.js';
import type { CreateChangeLinkBody } from './change-link.dto.js';

/** The errors in a wanted change that depend on several fields, or on the app (rules/payments 18). */
export function changeLinkViolations(
  { plan, amountCents, restartPeriod, unusedCredit, returnUrl }: WellFormed<CreateChangeLinkBody>,
  environment: Environment,
  changesPlan = plan !== undefined,
): FieldViolation[] {
  const violations = [...returnUrlViolations(returnUrl, environment), ...planViolations(plan)];
  const description = 'is for a change of the plan';
  if (!changesPlan && amountCents !== undefined) {
    violations.push({ field: 'amountCents', description });
  }
  if (!changesPlan && restartPeriod === true) {
    violations.push({ field: 'restartPeriod', description });
  }
  if (unusedCredit !== undefined && (!changesPlan || amountCents !== undefined)) {
    const ofComputed = 'is for a change of the plan whose difference is computed';
    violations.push({ field: 'unusedCredit', description: ofComputed });
  }
  return violations;
}
