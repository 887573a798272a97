import { fromMilliseconds } from '#domain/calendar';
import type { Catalog, CatalogFailureReason, CatalogItem, CatalogRow } from '#domain/catalog';
import type { FieldViolation } from '#domain/decider';
import { readPrice, readWhole } from './catalog-shape.js';
import { assertDefect } from '#platform';
import {
  checkCatalog,
  type CheckedCatalog,
  type CheckOptions,
  type WrittenCatalog,
  type WrittenItem,
  type WrittenRow,
} from './check-catalog.js';
import { recallItem, rememberItem } from './known-items.js';
import { ANSWER_LIMIT_BYTES } from './limits.js';

/** Why there is no catalog, and all errors of the answer. */
export interface CallFailure {
  readonly ok: false;
  readonly reason: CatalogFailureReason;
  /** The first hundred; `field` is a JSON path, and `$` the whole answer. */
  readonly violations: readonly FieldViolation[];
  readonly violationCount: number;
}

export type ParsedCatalog = { readonly ok: true; readonly catalog: Catalog } | CallFailure;

/**
 * A catalog out of the bytes of an answer (rules/catalog 3). Fields that are not known are left alone, so that a
 * backend may tell others more. The catalog is frozen, since several pages share one.
 *
 * @param body of more bytes than the limit where there were more.
 */
export function parseCatalog(body: Buffer, options: CheckOptions): ParsedCatalog {
  if (body.length > ANSWER_LIMIT_BYTES) {
    return failedAnswer('too_large', `must have at most ${ANSWER_LIMIT_BYTES} bytes`);
  }
  const json = parseJson(body);
  if (json === undefined) return failedAnswer('not_json', 'must be JSON in UTF-8');
  const { violations: found, names } = checkCatalog(json.value, options);
  const { count: violationCount, listed: violations } = found;
  if (violationCount > 0) {
    return { ok: false, reason: 'invalid_catalog', violations, violationCount };
  }
  // That nothing is wrong with it says that it is one.
  const { rows } = json.value as WrittenCatalog;
  const read = rows.map((row) => readRow(row, names));
  return { ok: true, catalog: Object.freeze({ rows: Object.freeze(read) }) };
}

/** @param description of the error of the answer as a whole. */
export function failedAnswer(reason: CatalogFailureReason, description: string): CallFailure {
  return { ok: false, reason, violations: [{ field: '$', description }], violationCount: 1 };
}

/** For a call without an answer. */
export function failedCall(reason: CatalogFailureReason): CallFailure {
  return { ok: false, reason, violations: [], violationCount: 0 };
}

function parseJson(body: Buffer): { readonly value: unknown } | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function readRow({ header, items }: WrittenRow, names: CheckedCatalog['names']): CatalogRow {
  // An empty header is none.
  const shown = header === undefined || header === '' ? null : header;
  const read = items.map((item) => findItem(item, names.get(item)));
  return Object.freeze({ header: shown, items: Object.freeze(read) });
}

/** Items that say the same are one. */
function findItem(item: WrittenItem, name: string | undefined): CatalogItem {
  assertDefect(name !== undefined, 'what was found good has texts and numbers');
  const known = recallItem(name);
  if (known !== undefined) return known;
  const read = readItem(item);
  rememberItem(name, read);
  return read;
}

function readItem(item: WrittenItem): CatalogItem {
  const { id, name, description, image, price } = item;
  const expiresAtSeconds = readWhole(item.expiration_time_seconds);
  return Object.freeze({
    ...{ id, name, description, image },
    price: Object.freeze(readPrice(price)),
    maxPurchasable: readWhole(item.max_purchasable),
    expiresAt: expiresAtSeconds === null ? null : fromMilliseconds(expiresAtSeconds * 1_000),
  });
}
