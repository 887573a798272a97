import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { catchError, type Observable } from 'rxjs';
import { Fault } from '#platform';
import {
  ApiError,
  type FieldViolation,
  isAboutFields,
  mergeRefusals,
} from '../answer/api-error.js';

/** A body whose bad fields are left out, so that each field may be missing at every level. */
export type WellFormed<T> = T extends readonly (infer Item)[]
  ? readonly WellFormed<Item>[]
  : T extends object
    ? { readonly [Field in keyof T]?: WellFormed<T[Field]> }
    : T;

/**
 * Checks of a route beyond its DTO, which depend on several fields, or on stored data. Where a request is refused for
 * its fields, these are looked for among the other fields as well, so that every bad field is named at once (rules/api
 * 12). Routes name theirs with `@UseInterceptors`.
 */
export abstract class FurtherChecks<Body extends object> implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const refuse = async (error: unknown): Promise<never> => {
      throw isAboutFields(error) ? await this.complete(error, request) : error;
    };
    return next.handle().pipe(catchError(refuse));
  }

  /** The same refusal with the other errors of the fields. */
  async complete(refusal: ApiError, request: FastifyRequest): Promise<ApiError> {
    const further = await findRefusal(() =>
      this.check(withoutFields(request.body, refusal.fieldViolations) as WellFormed<Body>, request),
    );
    return further === undefined ? refusal : mergeRefusals(refusal, further);
  }

  /**
   * @param body its fields that are well-formed by themselves.
   * @throws ApiError with every bad field; with another reason where it cannot be looked for.
   */
  protected abstract check(body: WellFormed<Body>, request: FastifyRequest): Promise<void> | void;
}

/** The bad fields of several checks in one list. @throws an error that is no refusal of fields. */
export async function listBadFields(
  ...checks: readonly (() => unknown)[]
): Promise<readonly FieldViolation[]> {
  const refusals = await Promise.all(checks.map(findRefusal));
  return refusals.flatMap((refusal) => refusal?.fieldViolations ?? []);
}

/** Undefined also where there is nothing to be compared with: the fields are refused before that. */
async function findRefusal(check: () => unknown): Promise<ApiError | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    if (isAboutFields(error)) return error;
    if (error instanceof ApiError || error instanceof Fault) return undefined;
    throw error;
  }
}

/** A copy of a parsed body; entries of lists keep their places. */
function withoutFields(body: unknown, violations: readonly FieldViolation[]): unknown {
  const copy: unknown = structuredClone(body ?? {});
  for (const { field } of violations) {
    const path = field.split('.');
    const last = path.pop() ?? '';
    const parent = path.reduce<unknown>(readOwn, copy);
    if (readOwn(parent, last) !== undefined) Reflect.deleteProperty(parent as object, last);
  }
  return copy;
}

function readOwn(parent: unknown, name: string): unknown {
  if (typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, name))
    return undefined;
  return (parent as Readonly<Record<string, unknown>>)[name];
}
