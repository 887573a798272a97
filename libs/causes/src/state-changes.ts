import { isCurrency, type Money } from '#domain/money';

/** One field of a state by its path, as `dunning.nextRetryAt` or `lines[0].amount`; an amount of money is one field. */
export interface Change {
  readonly field: string;
  /** Undefined where the field was not there. */
  readonly before: unknown;
  /** Undefined where the field is there no more. */
  readonly after: unknown;
}

type Kind = 'nothing' | 'list' | 'fields' | 'value';

/** The fields that differ between two states, both as JSON has them: those of the first, then further ones of the second. */
export function findChanges(before: unknown, after: unknown, field = ''): Change[] {
  if (!haveParts(findKind(before), findKind(after))) {
    return isSame(before, after) ? [] : [{ field, before, after }];
  }
  const changes = listNames(before, after).flatMap((name) => {
    const path = Array.isArray(before ?? after) ? `${field}[${name}]` : joinPath(field, name);
    return findChanges(readPart(before, name), readPart(after, name), path);
  });
  // A part of nothing but nulls is not the same as none.
  const isAlike = findKind(before) === findKind(after);
  return changes.length > 0 || isAlike ? changes : [{ field, before, after }];
}

/** Every field of a state with its value. */
export function listFields(state: unknown): { readonly field: string; readonly value: unknown }[] {
  return findChanges(undefined, state).map(({ field, after }) => ({ field, value: after }));
}

/** Whether a value is an amount that can be written as people write it. */
export function isMoney(value: unknown): value is Money {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 2) return false;
  const { amountMinor, currency } = value as Partial<Record<keyof Money, unknown>>;
  const isAmount = typeof amountMinor === 'string' && /^-?\d+$/.test(amountMinor);
  return isAmount && typeof currency === 'string' && isCurrency(currency);
}

/** Lists are compared with lists, and fields with fields; where one side has nothing, each part came or went. */
function haveParts(left: Kind, right: Kind): boolean {
  const kinds = new Set([left, right].filter((kind) => kind !== 'nothing'));
  return kinds.size === 1 && !kinds.has('value');
}

function findKind(value: unknown): Kind {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return 'list';
  return typeof value === 'object' && !isMoney(value) ? 'fields' : 'value';
}

function listNames(before: unknown, after: unknown): string[] {
  return [...new Set([before, after].flatMap((value) => Object.keys(value ?? {})))];
}

/** The part of a value; of none the same none. */
function readPart(value: unknown, name: string): unknown {
  if (value === null || value === undefined) return value;
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

function joinPath(field: string, name: string): string {
  return field === '' ? name : `${field}.${name}`;
}

function isSame(left: unknown, right: unknown): boolean {
  if (!isMoney(left) || !isMoney(right)) return left === right;
  return left.amountMinor === right.amountMinor && left.currency === right.currency;
}
