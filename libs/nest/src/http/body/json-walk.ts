import { ApiError, invalidFields } from '../answer/api-error.js';
import type { BodyConfig } from './body-config.js';
import { MAX_DEPTH, MAX_ENTRIES, MAX_FIELDS, MAX_VALUES } from './json-limits.js';
import { isReservedNameAt, type Path } from './reserved-names.js';

/** `String.prototype.isWellFormed`, which the types of our target do not know yet. */
const HALF_A_PAIR = /\p{Surrogate}/u;

/**
 * Walks a parsed body once: its size, its texts and the names of its fields (rules/api 2, 3 and 5).
 *
 * @throws ApiError for the first problem, with its field.
 */
export class JsonWalk {
  readonly #maxValues: number;
  readonly #freeNamesAt: readonly string[];
  #values = 0;

  constructor({ maxValues, freeNamesAt }: Pick<BodyConfig, 'maxValues' | 'freeNamesAt'>) {
    this.#maxValues = maxValues ?? MAX_VALUES;
    this.#freeNamesAt = freeNamesAt ?? [];
  }

  visit(value: unknown, path: Path = []): void {
    if (typeof value === 'string' && HALF_A_PAIR.test(value)) {
      throw refuse(path, 'must not have half a surrogate pair');
    }
    if (typeof value !== 'object' || value === null) return;
    if (path.length >= MAX_DEPTH) throw refuse(path, `is nested deeper than ${MAX_DEPTH} levels`);
    if (Array.isArray(value)) this.#visitList(value, path);
    else this.#visitObject(Object.entries(value), path);
  }

  #visitList(entries: readonly unknown[], path: Path): void {
    this.#count(entries.length, MAX_ENTRIES, 'entries', path);
    for (const [at, entry] of entries.entries()) this.visit(entry, [...path, at]);
  }

  #visitObject(fields: readonly [string, unknown][], path: Path): void {
    this.#count(fields.length, MAX_FIELDS, 'fields', path);
    for (const [name, field] of fields) {
      const at = [...path, name];
      if (HALF_A_PAIR.test(name)) {
        throw malformedJson('the name of a field has half a surrogate pair');
      }
      if (isReservedNameAt(path, name, this.#freeNamesAt)) {
        throw refuse(at, 'is not a field of this request');
      }
      this.visit(field, at);
    }
  }

  #count(values: number, limit: number, kind: string, path: Path): void {
    this.#values += values;
    if (values > limit) throw refuse(path, `has more than ${limit} ${kind}`);
    if (this.#values <= this.#maxValues) return;
    throw refuse(
      path,
      `is more than the ${this.#maxValues} fields and entries that a body may have`,
    );
  }
}

function refuse(path: Path, description: string): ApiError {
  return invalidFields([{ field: path.join('.') || 'body', description }]);
}

/** A body that is no JSON object, or has a name that is no text. */
export function malformedJson(detail: string): ApiError {
  return new ApiError('INVALID_ARGUMENT', {
    reason: 'MALFORMED_JSON',
    message: 'The body is not a valid JSON object.',
    fieldViolations: [{ field: 'body', description: detail }],
  });
}
