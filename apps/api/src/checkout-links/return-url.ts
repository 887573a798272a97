import type { Environment } from '#domain/event';
import { checkTarget } from '#egress';
import { invalidFields } from '#nest/errors';

/**
 * Players are sent back over https alone; in a test app also over http to the developer's own machine
 * (rules/storefront 4).
 *
 * @throws ApiError 3 INVALID_ARGUMENT with a violation of `returnUrl`.
 */
export function requireReturnUrl(url: string | undefined, environment: Environment): void {
  if (url === undefined) return;
  const target = checkTarget(url, { allowInsecure: environment === 'test' });
  if (target.ok) return;
  throw invalidFields([{ field: 'returnUrl', description: target.reason }]);
}
