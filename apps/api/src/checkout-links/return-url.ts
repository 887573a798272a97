import type { Environment } from '#domain/event';
import { checkTarget } from '#egress';
import type { FieldViolation } from '#nest/errors';

/**
 * Players are sent back over https alone; in a test app also over http to the developer's own machine
 * (rules/storefront 4).
 */
export function returnUrlViolations(
  url: string | undefined,
  environment: Environment,
): FieldViolation[] {
  if (url === undefined) return [];
  const target = checkTarget(url, { allowInsecure: environment === 'test' });
  return target.ok ? [] : [{ field: 'returnUrl', description: target.reason }];
}
