import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { FastifyRequest } from 'fastify';
import { invalidFields } from './api-error.js';
import { isReservedName } from './reserved-names.js';

/**
 * Refuses query parameters where a route takes none: unknown ones are refused as unknown fields are
 * (rules/api 2). Routes with a query have a DTO, which says the same field by
 * field, but for names that DTOs never see.
 */
@Injectable()
export class KnownQueryGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { query } = context.switchToHttp().getRequest<FastifyRequest>();
    const names = Object.keys(query as object);
    if (names.length === 0) return true;
    const unknown = takesQuery(context) ? names.filter(isReservedName) : names;
    if (unknown.length === 0) return true;
    throw invalidFields(
      unknown.map((field) => ({ field, description: 'is not a parameter of this request' })),
    );
  }
}

/** Nest notes the arguments of a handler under keys of the form `{type}:{index}`. */
function takesQuery(context: ExecutionContext): boolean {
  const args = Reflect.getMetadata(
    ROUTE_ARGS_METADATA,
    context.getClass(),
    context.getHandler().name,
  ) as Readonly<Record<string, unknown>> | undefined;
  return Object.keys(args ?? {}).some((key) => key.startsWith(`${RouteParamtypes.QUERY}:`));
}
