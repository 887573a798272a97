import { type CanActivate, type ExecutionContext, Injectable, type Type } from '@nestjs/common';
import { PARAMTYPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { FastifyRequest } from 'fastify';
import { invalidFields, isAboutFields, mergeRefusals } from './api-error.js';
import { isReservedName } from './reserved-names.js';
import { RequestValidationPipe } from './validation.js';

const PIPE = new RequestValidationPipe();

/**
 * Refuses query parameters where a route takes none: unknown ones are refused as unknown fields are
 * (rules/api 2). Routes with a query have a DTO, which says the same field by
 * field, but for names that DTOs never see.
 */
@Injectable()
export class KnownQueryGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean | Promise<never> {
    const { query, body, routeOptions } = context.switchToHttp().getRequest<FastifyRequest>();
    const names = Object.keys(query as object);
    if (names.length === 0 || routeOptions.config.readsQuery === true) return true;
    const unknown = findArgument(context, RouteParamtypes.QUERY)
      ? names.filter(isReservedName)
      : names;
    if (unknown.length === 0) return true;
    return refuse(unknown, body, findArgument(context, RouteParamtypes.BODY)?.metatype);
  }
}

/** @throws ApiError with unknown parameters. */
export function unknownParameters(names: readonly string[]) {
  return invalidFields(
    names.map((field) => ({ field, description: 'is not a parameter of this request' })),
  );
}

/** Beside the parameters, what is wrong with the body: every bad field is named at once (rules/api 12). */
async function refuse(
  names: readonly string[],
  body: unknown,
  metatype: Type | undefined,
): Promise<never> {
  const refusal = unknownParameters(names);
  if (metatype === undefined) throw refusal;
  const ofBody = await PIPE.transform(body, { type: 'body', metatype }).then(
    () => undefined,
    (error: unknown) => error,
  );
  throw isAboutFields(ofBody) ? mergeRefusals(refusal, ofBody) : refusal;
}

/** Nest notes the arguments of a handler under keys of the form `{type}:{index}`. */
function findArgument(
  context: ExecutionContext,
  kind: RouteParamtypes,
): { readonly metatype: Type | undefined } | undefined {
  const { name } = context.getHandler();
  const args = Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), name) as
    Readonly<Record<string, { readonly index: number }>> | undefined;
  const found = Object.entries(args ?? {}).find(([key]) => key.startsWith(`${kind}:`));
  if (found === undefined) return undefined;
  const types = Reflect.getMetadata(
    PARAMTYPES_METADATA,
    context.getClass().prototype as object,
    name,
  ) as readonly Type[] | undefined;
  return { metatype: types?.[found[1].index] };
}
