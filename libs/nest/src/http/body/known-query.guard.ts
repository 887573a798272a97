import { type CanActivate, type ExecutionContext, Injectable, type Type } from '@nestjs/common';
import {
  INTERCEPTORS_METADATA,
  PARAMTYPES_METADATA,
  ROUTE_ARGS_METADATA,
} from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ModuleRef } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { type ApiError, invalidFields, isAboutFields, mergeRefusals } from '../answer/api-error.js';
import { FurtherChecks } from './further-checks.js';
import { isReservedName } from './reserved-names.js';
import { RequestValidationPipe } from './validation.js';

const PIPE = new RequestValidationPipe();

/**
 * Refuses query parameters that a route does not name: unknown ones are refused as unknown fields are
 * (rules/api 2). Routes with a query of several have a DTO, which says the same field by
 * field, but for names that DTOs never see.
 */
@Injectable()
export class KnownQueryGuard implements CanActivate {
  constructor(private readonly modules: ModuleRef) {}

  canActivate(context: ExecutionContext): boolean | Promise<never> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { query, routeOptions } = request;
    const names = Object.keys(query as object);
    if (names.length === 0 || routeOptions.config.readsQuery === true) return true;
    const taken = findArguments(context, RouteParamtypes.QUERY).map(({ data }) => data);
    const isDto = taken.includes(undefined);
    const unknown = names.filter((name) => (isDto ? isReservedName(name) : !taken.includes(name)));
    if (unknown.length === 0) return true;
    return this.refuse(unknown, context, request);
  }

  /** Beside the parameters, the errors of the body: every bad field is named at once (rules/api 12). */
  private async refuse(
    names: readonly string[],
    context: ExecutionContext,
    request: FastifyRequest,
  ): Promise<never> {
    const metatype = findArguments(context, RouteParamtypes.BODY)[0]?.metatype;
    let refusal = await addBody(unknownParameters(names), request.body, metatype);
    for (const checks of this.listChecks(context)) {
      refusal = await checks.complete(refusal, request);
    }
    throw refusal;
  }

  /** The checks of the route beside its DTO. */
  private listChecks(context: ExecutionContext): FurtherChecks<object>[] {
    const named = (Reflect.getMetadata(INTERCEPTORS_METADATA, context.getHandler()) ??
      []) as readonly Type[];
    const checks = named.filter(({ prototype }) => prototype instanceof FurtherChecks);
    return checks.map((each) => this.modules.get<FurtherChecks<object>>(each, { strict: false }));
  }
}

/** @throws ApiError with unknown parameters. */
export function unknownParameters(names: readonly string[]) {
  return invalidFields(
    names.map((field) => ({ field, description: 'is not a parameter of this request' })),
  );
}

async function addBody(
  refusal: ApiError,
  body: unknown,
  metatype: Type | undefined,
): Promise<ApiError> {
  if (metatype === undefined) return refusal;
  const ofBody = await PIPE.transform(body, { type: 'body', metatype }).then(
    () => undefined,
    (error: unknown) => error,
  );
  return isAboutFields(ofBody) ? mergeRefusals(refusal, ofBody) : refusal;
}

interface Argument {
  /** The one parameter that it is; undefined for all of them. */
  readonly data: string | undefined;
  readonly metatype: Type | undefined;
}

/** Nest notes the arguments of a handler under keys of the form `{type}:{index}`. */
function findArguments(context: ExecutionContext, kind: RouteParamtypes): Argument[] {
  const { name } = context.getHandler();
  const args = Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), name) as
    Readonly<Record<string, { readonly index: number; readonly data?: string }>> | undefined;
  const found = Object.entries(args ?? {}).filter(([key]) => key.startsWith(`${kind}:`));
  const types = Reflect.getMetadata(
    PARAMTYPES_METADATA,
    context.getClass().prototype as object,
    name,
  ) as readonly Type[] | undefined;
  return found.map(([, { index, data }]) => ({ data, metatype: types?.[index] }));
}
