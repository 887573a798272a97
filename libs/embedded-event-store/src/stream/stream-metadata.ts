/** Names and types with a meaning of their own in EventStoreDB. */

export const METASTREAM_PREFIX = '$$';

export const METADATA_TYPE = '$metadata';
export const TOMBSTONE_TYPE = '$streamDeleted';
export const LINK_TYPE = '$>';
export const SYSTEM_STREAM = '$system';
export const SERVER_STARTED_TYPE = '$ServerStarted';

export function isMetastream(name: string): boolean {
  return name.startsWith(METASTREAM_PREFIX);
}

/** The stream that holds the metadata of `name`. */
export function metastreamName(name: string): string {
  return METASTREAM_PREFIX + name;
}

/** The stream that a metastream describes. */
export function describedStream(metastream: string): string {
  return metastream.slice(METASTREAM_PREFIX.length);
}

/**
 * Stream metadata as EventStoreDB stores it (rules/protocol 7): the JSON of the last event of the
 * metastream. `$acl`, `$cacheControl` and custom keys are kept as they are and mean nothing here.
 */
export interface StreamMetadata {
  readonly maxCount?: number;
  readonly maxAgeMs?: number;
  /** The first revision that is still to be read (`$tb`). */
  readonly truncateBefore?: number;
  /** `$tb` is long.MaxValue: the stream is deleted until something is appended. */
  readonly softDeleted: boolean;
}

export const NO_METADATA: StreamMetadata = { softDeleted: false };

/** A metastream keeps its latest event only, whatever is written about it. */
export const METASTREAM_METADATA: StreamMetadata = { maxCount: 1, softDeleted: false };

/** long.MaxValue is not a JavaScript number; nothing below 2^53 means it. */
const SOFT_DELETED_FROM = 2 ** 53;

/** Exactly the bytes that EventStoreDB writes; JSON.stringify would round the number up. */
export const SOFT_DELETE_JSON = Buffer.from('{"$tb":9223372036854775807}');

/** Reads metadata; anything that is not valid metadata counts as none, as in EventStoreDB. */
export function parseStreamMetadata(json: Buffer): StreamMetadata {
  const object = parseObject(json);
  if (!object) return NO_METADATA;
  const maxCount = object['$maxCount'];
  const maxAge = object['$maxAge'];
  const truncateBefore = object['$tb'];
  if (!isWholeFrom(1, maxCount) || !isWholeFrom(1, maxAge) || !isWholeFrom(0, truncateBefore)) {
    return NO_METADATA;
  }
  return {
    softDeleted: truncateBefore !== undefined && truncateBefore >= SOFT_DELETED_FROM,
    ...(maxCount === undefined ? {} : { maxCount }),
    ...(maxAge === undefined ? {} : { maxAgeMs: maxAge * 1000 }),
    ...(truncateBefore === undefined ? {} : { truncateBefore }),
  };
}

/** The same metadata with another `$tb`, as undeleting a stream writes it. */
export function withTruncateBefore(json: Buffer, truncateBefore: number): Buffer {
  const object = parseObject(json) ?? {};
  return Buffer.from(JSON.stringify({ ...object, $tb: truncateBefore }));
}

function parseObject(json: Buffer): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(json.toString('utf8'));
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
    return parsed as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function isWholeFrom(least: number, value: unknown): value is number | undefined {
  return value === undefined || (typeof value === 'number' && value >= least && value % 1 === 0);
}
