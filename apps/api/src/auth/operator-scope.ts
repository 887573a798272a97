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
}

/**
 * The role decides the rights of an operator, the scope the apps; other apps do not exist for them (rules/operators 2).
 *
 * @throws ApiError 5 for an app out of scope, 7 for a right that the role or the scope lacks.
 */
export function requireScope(
  operator: OperatorIdentity,
  { appId, method, isForAdmins }: WantedScope,
): void {
  if (appId !== undefined && !isForApp(operator, appId)) throw notFound('app', appId);
  if (method === 'GET' || method === 'HEAD') return;
  const enough: readonly OperatorRole[] =
    isForAdmins || appId === undefined ? ['admin'] : ['admin', 'manager'];
  if (!enough.includes(operator.role)) {
    throw new ApiError('PERMISSION_DENIED', {
      reason: 'ROLE_NOT_SUFFICIENT',
      message: `An operator with the role ${operator.role} may not do this.`,
    });
  }
  if (appId === undefined) requireAllApps(operator);
}

/** @throws ApiError 7 where the scope of the operator is some apps. */
export function requireAllApps(operator: OperatorIdentity): void {
  if (isForAllApps(operator)) return;
  throw new ApiError('PERMISSION_DENIED', {
    reason: 'SCOPE_NOT_SUFFICIENT',
    message: 'This takes a token for all apps; the given one is for some of them.',
  });
}
