import type { Schema } from './operations.js';

/** A place in a body: a field, an entry of a list, or the body itself (an empty path). */
export interface Place {
  readonly path: readonly (string | number)[];
  readonly schema: Schema;
  readonly isRequired: boolean;
}

/** The JSON type of a place. */
export type Shape = 'object' | 'list' | 'string' | 'integer' | 'boolean' | 'any';

/** The samples' name of the one field of an object whose fields have any name. */
export const ANY_NAME = 'anything';

/** Every place of a body as its schema tells them, with one entry for each list. */
export function listPlaces(schema: Schema): readonly Place[] {
  return [...walk(schema, [], true)];
}

function* walk(written: Schema, path: Place['path'], isRequired: boolean): Generator<Place> {
  const schema = readNullable(written);
  yield { path, schema, isRequired };
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    yield* walk(child, [...path, name], schema.required?.includes(name) === true);
  }
  if (typeof schema.additionalProperties === 'object') {
    yield* walk(schema.additionalProperties, [...path, ANY_NAME], false);
  }
  if (schema.items !== undefined) yield* walk(schema.items, [...path, 0], true);
}

/** An object or null is the object, for which null is a value of its own. */
function readNullable(schema: Schema): Schema {
  const [object, ...others] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  return object === undefined || others.length > 0 ? schema : { ...object, nullable: true };
}

function classifyShape({ type, properties, allOf }: Schema): Shape {
  const name = Array.isArray(type) ? (type as string[]).find((one) => one !== 'null') : type;
  if (name === 'array') return 'list';
  if (name === 'object' || properties !== undefined || allOf !== undefined) return 'object';
  return name === 'string' || name === 'integer' || name === 'boolean' ? name : 'any';
}

/** Whether a field takes values of a shape: one of several where it names alternatives. */
export function takesShape({ oneOf, ...schema }: Schema, shape: Shape): boolean {
  const alternatives = oneOf ?? [schema];
  return alternatives.some((alternative) => classifyShape(alternative) === shape);
}

/** How a violation names the place: `prices.0.currency`; the body itself is `body`. */
export function fieldName({ path }: Place): string {
  return path.length === 0 ? 'body' : path.join('.');
}

/** A copy of a body with another value at a place; `undefined` leaves the field out. */
export function withValueAt(body: unknown, path: Place['path'], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (typeof key === 'number') {
    const list: readonly unknown[] = Array.isArray(body) ? body : [];
    return list.map((item, index) => (index === key ? withValueAt(item, rest, value) : item));
  }
  const object = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const child = withValueAt(object[key], rest, value);
  const others = Object.entries(object).filter(([name]) => name !== key);
  // Entries, not spreading: a key may be `__proto__`.
  return Object.fromEntries(child === undefined ? others : [...others, [key, child]]);
}

/** The value at a place; undefined where the body has none. */
export function valueAt(body: unknown, path: Place['path']): unknown {
  return path.reduce<unknown>(
    (at, key) => (at as Record<string | number, unknown> | null | undefined)?.[key],
    body,
  );
}

/** A field for which null is a value of its own is none. */
export function refusesNull(place: Place): boolean {
  const { nullable, type } = place.schema;
  return isField(place) && nullable !== true && !(Array.isArray(type) && type.includes('null'));
}

/** Anything but the body itself. */
export function isField({ path }: Place): boolean {
  return path.length > 0;
}

export function isRequiredField({ path, isRequired }: Place): boolean {
  return typeof path.at(-1) === 'string' && isRequired;
}

/** In the document instants are strings, so that their names tell them. */
export function isInstant(place: Place): boolean {
  const name = String(place.path.at(-1));
  return is('string')(place) && /^(to|effectiveFrom|available(From|Until))$/.test(name);
}

/** An object that has the fields of its schema and no others. */
export function isClosedObject(place: Place): boolean {
  return is('object')(place) && place.schema.additionalProperties === undefined;
}

export function is(shape: Shape): (place: Place) => boolean {
  return ({ schema }) => classifyShape(schema) === shape;
}
