import { applyDecorators, type Type as Class } from '@nestjs/common';
import { ApiProperty, PartialType } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import { MAX_ENTRIES } from './json-limits.js';

// The shapes of requests (rules/api 1 and 2). class-validator's own decorators for them take more than
// a JSON contract can: `IsOptional` takes null, `ValidateNested` takes a list for an object. ESLint
// refuses those outside of this file.

/**
 * A field that may be left out. An explicit null is no omission: the field's other rules refuse it.
 */
export function Omittable(): PropertyDecorator {
  return ValidateIf((_object, value) => value !== undefined);
}

/** As `Omittable`, and `""` says that the field is not set, as answers do (rules/api 1). */
export function OmittableOrEmpty(): PropertyDecorator {
  return ValidateIf((_object, value) => value !== undefined && value !== '');
}

/** As `Omittable`, and null says that there is none, as answers do. */
export function OmittableOrNull(): PropertyDecorator {
  return ValidateIf((_object, value) => value !== undefined && value !== null);
}

/** The same fields as another DTO, each of which may be left out; null is refused as above. */
export function AllOmittable<T>(dto: Class<T>): Class<Partial<T>> {
  return PartialType(dto, { skipNullProperties: false });
}

/** A field that holds one object of another DTO. */
export function NestedObject(dto: () => Class): PropertyDecorator {
  return applyDecorators(
    Type(dto),
    ValidateBy({
      name: 'isObject',
      validator: { validate: isObject, defaultMessage: () => 'must be an object' },
    }),
    ValidateNested(),
  );
}

/**
 * A field that holds strings by names of the caller's own. Its object is that of the body: class-transformer leaves names
 * out that every object has (`constructor`, `toString`), and they are names like any other here (rules/api 2).
 */
export function StringsByName(): PropertyDecorator {
  return applyDecorators(
    Type(() => Object),
    Transform(({ obj, key }) => (obj as Readonly<Record<string, unknown>>)[key]),
    ValidateBy({
      name: 'isStringsByName',
      validator: { validate: isObject, defaultMessage: () => 'must be an object of strings' },
    }),
  );
}

interface ListBounds {
  readonly min?: number;
  readonly max?: number;
}

/** A field that holds a list of objects of another DTO. */
export function NestedList(
  dto: () => Class,
  { min = 0, max = MAX_ENTRIES }: ListBounds = {},
): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: () => [dto()], ...(min > 0 && { minItems: min }), maxItems: max }),
    Type(dto),
    ValidateBy({
      name: 'isListOfObjects',
      validator: {
        validate: (value) => listViolation(value, min, max) === undefined,
        defaultMessage: (args) => listViolation(args?.value, min, max) ?? '',
      },
    }),
    ValidateNested({ each: true }),
  );
}

/** A JSON object, as opposed to null, a list or a scalar. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listViolation(value: unknown, min: number, max: number): string | undefined {
  if (!Array.isArray(value)) return 'must be a list of objects';
  if (value.length < min) return `must hold at least ${min} of them`;
  if (value.length > max) return `must hold at most ${max} of them`;
  const odd = value.findIndex((entry) => !isObject(entry));
  return odd === -1 ? undefined : `must hold objects only, which entry ${odd} is not`;
}
