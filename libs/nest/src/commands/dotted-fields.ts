import type { FieldViolation } from '#domain/decider';

/** The domain writes `rates[2].rate`; all paths of the API have dots (`rates.2.rate`, rules/api 6). */
export function dottedFields(violations: readonly FieldViolation[]): FieldViolation[] {
  return violations.map(({ field, description }) => ({
    ...{ field: field.replaceAll(/\[(\d+)\]/g, '.$1'), description },
  }));
}
