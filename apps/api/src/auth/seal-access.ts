import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import type { OperatorIdentity } from '#tenancy';
import type { ApiConfig } from '../config.js';
import { configureRoutes } from './configure-routes.js';
import { requireAllApps } from './operator-scope.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route is of the seals of the whole ledger. */
    readonly isOfSeals?: boolean;
  }
}

/**
 * Opens the routes of this controller to operators for all apps, and with SEAL_PUBLIC to everybody: the sizes tell how
 * busy all apps are together (rules/http 13).
 */
export const OfSeals = (): ClassDecorator => configureRoutes({ isOfSeals: true });

/** Whether everybody may call the route of this request, whatever credentials come with it. */
export function isOpenSeal(
  { routeOptions }: Pick<FastifyRequest, 'routeOptions'>,
  { sealPublic }: Pick<ApiConfig, 'sealPublic'>,
): boolean {
  return sealPublic && routeOptions.config.isOfSeals === true;
}

/** @throws ApiError 7 where the route is of seals, and the operator is for some apps alone. */
export function requireScopeOfSeals(
  operator: OperatorIdentity,
  { isOfSeals = false }: FastifyContextConfig,
): void {
  if (isOfSeals) requireAllApps(operator);
}
