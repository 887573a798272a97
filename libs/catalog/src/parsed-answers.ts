/**
 * Most players of a studio are offered the same. What was read of an answer is kept with its bytes, since reading one takes
 * a sixth of a page's time: an answer of the same bytes is the same catalog, for any player of the app.
 */
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { CheckOptions } from './check-catalog.js';
import { KEPT_ANSWER_BYTES } from './limits.js';
import { parseCatalog, type ParsedCatalog } from './parse-catalog.js';

interface Known {
  readonly body: Buffer;
  readonly parsed: ParsedCatalog;
}

const known = new LRUCache<string, Known>({
  maxSize: KEPT_ANSWER_BYTES,
  maxEntrySize: KEPT_ANSWER_BYTES,
});

/** As `parseCatalog`, whose catalogs are frozen. @param appId whose answer it is: no app takes the place of another's. */
export function readCatalog(appId: string, body: Buffer, options: CheckOptions): ParsedCatalog {
  // A sum finds the answer that it may be, and the bytes say whether it is: that takes a twentieth of a digest's time.
  const key = `${appId} ${String(options.allowInsecure)} ${body.length} ${crc32(body)}`;
  const candidate = known.get(key);
  if (candidate?.body.equals(body) === true) return candidate.parsed;
  const parsed = parseCatalog(body, options);
  // What is wrong is tried again by few, and may name much.
  if (parsed.ok) {
    known.set(key, { body: Buffer.from(body), parsed }, { size: Math.max(1, body.length) });
  }
  return parsed;
}
