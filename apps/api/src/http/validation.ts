import { type ArgumentMetadata, Injectable, type Type, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from '@nestjs/common';
import { type FieldViolation, invalidFields } from './api-error.js';

/**
 * Requests against their DTOs: unknown fields are refused, since a misspelt `cancel_at_period_end`
 * must not cancel in the other way (decisions 1), and every bad field is named at once.
 *
 * Validating costs more than all the rest of a command's way through HTTP, and most commands have an
 * empty body. Whether a DTO takes one is found out once, by its own rules, and remembered.
 */
@Injectable()
export class RequestValidationPipe extends ValidationPipe {
  private readonly emptyBodies = new Map<Type, boolean>();

  constructor() {
    super({
      whitelist: true,
      forbidNonWhitelisted: true,
      // A DTO without fields is no unknown value: its fields, all of them, are refused one by one.
      forbidUnknownValues: false,
      transform: true,
      stopAtFirstError: true,
      exceptionFactory: (errors) =>
        invalidFields(errors.flatMap((error) => violationsOf(error, ''))),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type, metatype } = metadata;
    if (type !== 'body' || metatype === undefined || !isEmpty(value)) {
      return (await super.transform(value, metadata)) as unknown;
    }
    if (this.emptyBodies.get(metatype) === true) return new metatype() as unknown;
    const transformed: unknown = await super.transform(value ?? {}, metadata);
    this.emptyBodies.set(metatype, true);
    return transformed;
  }
}

/** No body at all is the empty one: a DTO without required fields takes both. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function violationsOf(error: ValidationError, parent: string): FieldViolation[] {
  const field = parent === '' ? error.property : `${parent}.${error.property}`;
  const own = Object.entries(error.constraints ?? {}).map(([rule, description]) => ({
    field,
    description: rule === 'whitelistValidation' ? 'is not a field of this request' : description,
  }));
  const nested = (error.children ?? []).flatMap((child) => violationsOf(child, field));
  return [...own, ...nested];
}
