import { createHmac } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Position } from '#domain/event';
import { invalidFields } from './api-error.js';

/** The headers of rules/api 13 to 15: idempotency keys, revisions as ETags, consistency tokens. */
const KEY = /^[\x20-\x7e]{1,255}$/;
/** Stands where Node has joined several headers, or where a client's retries have made a list of keys. */
const LIST_SEPARATOR = ', ';
/** A revision, with the changes that a compressing proxy makes to its tag: `W/` before it, its encoding behind it. */
const ETAG = /^(?:W\/)?"(0|[1-9]\d{0,14})(?:[-;](?:gzip|br|deflate|zstd))?"$/;
const TOKEN = /^c1\.(?:([0-9a-f]{2})\.)?(\d{20})$/;

/** The hash of a command, as it is stored: a guess at the command cannot be compared with these (rules/storage 15). */
export interface CommandHash {
  readonly commandHash: string;
}

/** The key and hash of a command, which travel in the events' metadata. */
export type CommandKey = CommandHash & { readonly commandId: string };

/** @param asked all that was asked, in pieces. @param hashKey of the app. */
export function hashAsked(asked: readonly (string | Buffer)[], hashKey: Buffer): CommandHash {
  const hash = createHmac('sha256', hashKey);
  for (const piece of asked) hash.update(piece);
  return { commandHash: hash.digest('base64url') };
}

/**
 * `Idempotency-Key` and a hash of the request.
 *
 * @param openHashKey gives the key of the app. It is asked only where something is hashed.
 */
export function readCommandKey(
  request: Pick<FastifyRequest, 'headers' | 'method' | 'url' | 'rawBody'>,
  openHashKey: () => Buffer,
): CommandKey | undefined {
  const key = header(request, 'idempotency-key');
  if (key === undefined) return undefined;
  if (!KEY.test(key)) throw invalidKey('must be 1 to 255 printable ASCII characters');
  if (key.includes(LIST_SEPARATOR)) {
    throw invalidKey('must be one key in one header, without a comma followed by a space');
  }
  const asked = [`${request.method} ${request.url}\n`, request.rawBody ?? ''];
  return { commandId: key, ...hashAsked(asked, openHashKey()) };
}

function invalidKey(description: string): Error {
  return invalidFields([{ field: 'Idempotency-Key', description }]);
}

/**
 * The revisions of `If-Match`, any of which will do; undefined when every one will. A revision names
 * a state and no bytes: the tag that a compressing proxy makes of ours names the same revision
 * (rules/api 14). Any other tag never matches.
 */
export function readIfMatch(
  request: Pick<FastifyRequest, 'headers'>,
): readonly number[] | undefined {
  const tags = header(request, 'if-match');
  if (tags === undefined || tags.trim() === '*') return undefined;
  const revisions = tags.split(',').map((tag) => ETAG.exec(tag.trim())?.[1]);
  return revisions.filter((revision) => revision !== undefined).map(Number);
}

/**
 * A place in the ledger's events, as `x-consistency-token` names it; to callers it is opaque text. The
 * bucket tells the partition, however many there are (decision 0009).
 */
export interface ConsistencyToken {
  readonly position: Position;
  /** Of the stream that was written; undefined when the position counts wherever one reads. */
  readonly bucket: string | undefined;
}

/** The position that a read must show, since its caller wrote it. @throws ApiError for a token that we did not give. */
export function readConsistencyToken(request: FastifyRequest): ConsistencyToken | undefined {
  const token = header(request, 'x-consistency-token');
  if (token === undefined) return undefined;
  const [, bucket, position] = TOKEN.exec(token) ?? [];
  if (position === undefined) {
    throw invalidFields([
      { field: 'x-consistency-token', description: 'must be a token that this service gave' },
    ]);
  }
  return { position, bucket };
}

/** The stream's revision as an ETag. */
export function setRevision(reply: FastifyReply, revision: number): void {
  reply.header('etag', `"${revision}"`);
}

/** Sets the token that a later read sends back to see this write. */
export function setConsistencyToken(
  reply: FastifyReply,
  position: Position | null,
  bucket?: string,
): void {
  if (position === null) return;
  const where = bucket === undefined ? '' : `${bucket}.`;
  reply.header('x-consistency-token', `c1.${where}${position}`);
}

function header(request: Pick<FastifyRequest, 'headers'>, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
