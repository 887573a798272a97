import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { assertDefect } from '#platform';
import type { OperatorIdentity, PlayerIdentity } from '#tenancy';

/**
 * The caller of a request: a player's client, a studio's backend by signature or by the deprecated
 * key, or an operator.
 */
export type Caller =
  | ({ readonly kind: 'player' } & PlayerIdentity)
  | { readonly kind: 'app'; readonly appId: string }
  | { readonly kind: 'apiKey'; readonly appId: string }
  | { readonly kind: 'operator'; readonly operator: OperatorIdentity };

/** Callers that belong to one app. */
export type AppCaller = Exclude<Caller, { kind: 'operator' }>;

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Caller;
  }
}

/** Hands a controller of the client or server API its caller, as the guard admitted it: an `AppCaller`. */
export const Caller = createParamDecorator(
  (_options: unknown, context: ExecutionContext): AppCaller =>
    requireAppCaller(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** Hands a controller of the management API its caller: an `OperatorIdentity`. */
export const Operator = createParamDecorator(
  (_options: unknown, context: ExecutionContext): OperatorIdentity =>
    requireOperator(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** The caller that the guard admitted to a route of the client or server API. */
export function requireAppCaller(request: FastifyRequest): AppCaller {
  const { caller } = request;
  assertDefect(caller !== undefined && caller.kind !== 'operator', 'a route without its guard');
  return caller;
}

/** The operator that the guard admitted to a management route. */
function requireOperator(request: FastifyRequest): OperatorIdentity {
  const { caller } = request;
  assertDefect(caller?.kind === 'operator', 'a management route without its guard');
  return caller.operator;
}

/** The caller as the `actor` in an event's metadata. */
export function nameActor(caller: Caller): string {
  switch (caller.kind) {
    case 'player':
      return `player:${caller.player}`;
    case 'operator':
      return `operator:${caller.operator.name}`;
    case 'app':
    case 'apiKey':
      return 'app';
  }
}

/** Whether an object of an app, and maybe of a player, is the caller's to see (rules/api 10). */
export function isCallers(
  caller: AppCaller,
  object: { readonly appId: string; readonly player: string },
): boolean {
  if (object.appId !== caller.appId) return false;
  return caller.kind !== 'player' || object.player === caller.player;
}
