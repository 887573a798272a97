/**
 * Most players of a studio are offered the same. What was read of an answer is kept by its bytes, since reading one takes
 * a sixth of a page's time: an answer of the same bytes is the same catalog, for any player.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { CheckOptions } from './check-catalog.js';
import { KEPT_ANSWER_BYTES } from './limits.js';
import { parseCatalog, type ParsedCatalog } from './parse-catalog.js';

const parsed = new LRUCache<string, ParsedCatalog>({
  maxSize: KEPT_ANSWER_BYTES,
  maxEntrySize: KEPT_ANSWER_BYTES,
});

/** As `parseCatalog`, whose catalogs are frozen. */
export function readCatalog(body: Buffer, options: CheckOptions): ParsedCatalog {
  const key = `${String(options.allowInsecure)} ${hash('sha256', body, 'base64')}`;
  const known = parsed.get(key);
  if (known !== undefined) return known;
  const read = parseCatalog(body, options);
  // What is wrong is tried again by few, and may name much.
  if (read.ok) parsed.set(key, read, { size: Math.max(1, body.length) });
  return read;
}
