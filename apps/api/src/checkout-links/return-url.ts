import type { Environment } from '#domain/event';
import { checkTarget } from '#egress';
import type { FieldViolation } from '#nest/errors';

/** The parameters that the page adds to the query: a game that reads one of them would find two. */
const ADDED_PARAMETERS = ['checkout', 'id'];

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
  if (!target.ok) return [{ field: 'returnUrl', description: target.reason }];
  const { searchParams } = new URL(url);
  if (!ADDED_PARAMETERS.some((name) => searchParams.has(name))) return [];
  const description = 'its query has checkout or id, which the page adds';
  return [{ field: 'returnUrl', description }];
}
