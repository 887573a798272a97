import type { OpenAPIObject } from '@nestjs/swagger';

// Schemas of bodies that are described by hand, since no DTO of ours receives them.

export type Schema = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string];
export type Fields = Readonly<Record<string, Schema>>;

export const text: Schema = { type: 'string' };
export const flag: Schema = { type: 'boolean' };
export const count: Schema = { type: 'integer' };
export const instant: Schema = { type: 'string', format: 'date-time' };
/** Milliseconds since the Unix epoch. */
export const millis: Schema = { type: 'integer', format: 'int64' };
/** Major units, with as many decimals as the currency has (rules/api 9). */
export const decimal: Schema = { type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' };
/** Whatever the studio gave. */
export const anything: Schema = { type: 'object', additionalProperties: true };

export const list = (items: Schema): Schema => ({ type: 'array', items });
export const oneValue = (...values: string[]): Schema => ({ type: 'string', enum: values });

/** An object that has these fields, and those that may be absent beside them. */
export function object(fields: Fields, optional: Fields = {}): Schema {
  return {
    type: 'object',
    required: Object.keys(fields),
    properties: { ...fields, ...optional },
  };
}
