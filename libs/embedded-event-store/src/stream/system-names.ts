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
