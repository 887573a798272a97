import { fromMilliseconds, toMilliseconds } from '#domain/calendar';
import type { Instant } from '#domain/event';

/**
 * How the state of a document is stored. Both ways are total, and each is the reverse of the other: a property
 * test sees to it. A changed form needs a new `version` of the projection.
 */
export interface StateCodec<State> {
  /** Values that JSON has. */
  pack(state: State, id: string): readonly unknown[];
  unpack(packed: readonly unknown[], id: string): State;
}

/** Marks a field that holds an instant or null: it is stored in milliseconds. */
export const INSTANT = Symbol('an instant');
/** Marks the field that holds the id of the document, which its key has. */
export const ID = Symbol('the id of the document');

type None = { readonly status: 'none' };
type Fields = Readonly<Record<string, unknown>>;
/** The usual value of each field, in the order in which fields are stored; fields of a part are listed the same way. */
type Usual<State> = { readonly [Field in keyof Exclude<State, None>]-?: unknown };

/**
 * Stores a state as the values of its fields in a fixed order: there are millions of them in Redis. Neither names nor
 * usual values are stored, and nothing of a state that is not there. A field that may be null has null as its usual value.
 */
export function codecByFields<State extends { readonly status: string }>(
  usual: Usual<State>,
): StateCodec<State> {
  const fields = listFields(usual);
  return {
    pack: (state) => (state.status === 'none' ? [] : packFields(state, fields)),
    // The stored values are those of `pack`, by the name and version in their key.
    unpack: (packed, id) =>
      (packed.length === 0 ? { status: 'none' } : unpackFields(packed, fields, id)) as State,
  };
}

/** A field with its usual value, or with the fields of its part. */
interface Field {
  readonly name: string;
  readonly usual: unknown;
  readonly parts: readonly Field[] | undefined;
  /** The usual value is an object, or a list, without anything in it. */
  readonly isUsuallyEmpty: boolean;
}

function listFields(usual: Fields): readonly Field[] {
  return Object.entries(usual).map(([name, value]) => {
    const parts = isFields(value) ? listFields(value) : undefined;
    return { name, usual: value, parts, isUsuallyEmpty: isEmpty(value) };
  });
}

function packFields(value: Fields, fields: readonly Field[]): readonly unknown[] {
  const packed = fields.map((field) => packValue(value[field.name], field));
  while (packed.length > 0 && packed.at(-1) === null) packed.pop();
  return packed;
}

function packValue(value: unknown, { usual, parts, isUsuallyEmpty }: Field): unknown {
  if (value === usual || value === undefined || usual === ID) return null;
  // States hold texts in these fields.
  if (usual === INSTANT) return packInstant(value as Instant | null);
  if (parts !== undefined) {
    const packed = packFields(value as Fields, parts);
    return packed.length === 0 ? null : packed;
  }
  return isUsuallyEmpty && isEmpty(value) ? null : value;
}

function unpackFields(packed: readonly unknown[], of: readonly Field[], id: string): Fields {
  const fields: Record<string, unknown> = {};
  for (const [at, field] of of.entries()) {
    const value = unpackValue(packed[at] ?? null, field, id);
    if (value !== undefined) fields[field.name] = value;
  }
  return fields;
}

function unpackValue(packed: unknown, { usual, parts }: Field, id: string): unknown {
  if (usual === ID) return id;
  if (usual === INSTANT) return typeof packed === 'number' ? fromMilliseconds(packed) : packed;
  if (parts !== undefined) return unpackFields((packed ?? []) as readonly unknown[], parts, id);
  return packed ?? usual;
}

/** A text that is no instant, or another one than ours for it, is stored as it is. */
function packInstant(instant: Instant | null): number | string | null {
  const milliseconds = instant === null ? NaN : toMilliseconds(instant);
  const isCounted = Number.isFinite(milliseconds) && fromMilliseconds(milliseconds) === instant;
  return isCounted ? milliseconds : instant;
}

function isFields(usual: unknown): usual is Fields {
  return typeof usual === 'object' && usual !== null && !isEmpty(usual);
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
