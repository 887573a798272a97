import type { Environment } from '#domain/event';
import { checkTarget } from '#egress';
import { type FieldViolation, invalidFields } from '#nest/errors';

/**
 * Players are sent back over https alone; in a test app also over http to the developer's own machine
 * (rules/storefront 4).
 *
 * @throws ApiError 3 INVALID_ARGUMENT with a violation of `returnUrl`.
 */
export function requireReturnUrl(url: string | undefined, environment: Environment): void {
  const violations = returnUrlViolations(url, environment);
  if (violations.length > 0) throw invalidFields(violations);
}

/** What is wrong with such an address, for those who tell of other fields as well. */
export function returnUrlViolations(
  url: string | undefined,
  environment: Environment,
): FieldViolation[] {
  if (url === undefined) return [];
  const target = checkTarget(url, { allowInsecure: environment === 'test' });
  return target.ok ? [] : [{ field: 'returnUrl', description: target.reason }];
}
