import { RouteConfig } from '@nestjs/platform-fastify';
import type { OperatorRole } from '#domain/operator-tokens';
import { ApiError, notFound } from '#nest/errors';
import { isForAllApps, isForApp, type OperatorIdentity } from '#tenancy';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route is for admins alone: by it, others get rights. */
    readonly isForAdmins?: boolean;
  }
}

/** For calls that give others rights: a manager may do all else that changes an app. */
export const AdminsOnly = () => RouteConfig({ isForAdmins: true });

/** The operator's rights that a request needs. */
export interface WantedScope {
  /** Undefined where the request is not about one app, as when it creates one. */
  readonly appId: string | undefined;
  readonly method: string;
  readonly isForAdmins: boolean;
  /** The pattern of the request's route, `/manage/apps/:appId/finance/close`. */
  readonly route: string;
}

/** Under it stand the routes of an app's finance, which the role `finance` is for. */
const FINANCE = '/manage/apps/:appId/finance/';

/**
 * The roles decide the rights of an operator, the scope the apps; other apps do not exist for them (rules/operators 2).
 *
 * @throws ApiError 5 for an app out of scope, 7 for a right that the role or the scope lacks.
 */
export function requireScope(operator: OperatorIdentity, wanted: WantedScope): void {
  const { appId } = wanted;
  if (appId !== undefined && !isForApp(operator, appId)) throw notFound('app', appId);
  const enough = listSufficientRoles(wanted);
  if (!operator.roles.some((role) => enough.includes(role))) {
    throw new ApiError('PERMISSION_DENIED', {
      reason: 'ROLE_NOT_SUFFICIENT',
      message: `An operator with the role ${operator.roles.join(' and ')} may not do this.`,
    });
  }
  if (appId === undefined && !isLook(wanted)) requireAllApps(operator);
}

function listSufficientRoles(wanted: WantedScope): readonly OperatorRole[] {
  const { appId, isForAdmins, route } = wanted;
  const ofFinance: readonly OperatorRole[] = route.startsWith(FINANCE) ? ['finance'] : [];
  if (isLook(wanted)) return ['admin', 'manager', 'viewer', ...ofFinance];
  if (isForAdmins || appId === undefined) return ['admin'];
  return ['admin', 'manager', ...ofFinance];
}

function isLook({ method }: WantedScope): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** @throws ApiError 7 where the scope of the operator is some apps. */
export function requireAllApps(operator: OperatorIdentity): void {
  if (isForAllApps(operator)) return;
  throw new ApiError('PERMISSION_DENIED', {
    reason: 'SCOPE_NOT_SUFFICIENT',
    message: 'This takes a token for all apps; the given one is for some of them.',
  });
}
