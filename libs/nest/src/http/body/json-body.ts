import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import { invalidFields } from '../answer/api-error.js';
import type { BodyConfig } from './body-config.js';
import { findUnfit } from './content-types.js';
import { findRepeat } from './json-repeats.js';
import { JsonWalk, malformedJson } from './json-walk.js';

type Done = (error: Error | null, value?: unknown) => void;

/** Keeps the bytes of a JSON body, and parses them unless the route reads them itself. */
export function takeJson(request: FastifyRequest, body: string | Buffer, done: Done): void {
  const { config } = request.routeOptions;
  const unfit = findUnfit(request, 'application/json');
  if (unfit !== undefined) {
    done(unfit);
    return;
  }
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  request.rawBody = bytes;
  if (config.readsBytes === true || bytes.length === 0) {
    done(null, undefined);
    return;
  }
  try {
    done(null, parseJsonBody(bytes, config));
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)));
  }
}

/** RFC 8259, 8.1: no implementation adds it. The message of a parser would show an invisible character. */
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/**
 * Every body of ours is an object; a DTO would take a list or a word for one without fields. Bytes
 * that are no UTF-8 and half surrogate pairs are no text: decoded, different ones would be the same
 * player (rules/api 3).
 *
 * @param limits of the route.
 * @throws ApiError for bytes that are no JSON object, or more of one than anybody means well.
 */
export function parseJsonBody(
  bytes: Buffer,
  limits: Pick<BodyConfig, 'maxValues' | 'freeNamesAt'> = {},
): object {
  if (!isUtf8(bytes)) throw malformedJson('must be UTF-8');
  if (bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)) {
    throw malformedJson('begins with a byte order mark (EF BB BF): send it without');
  }
  const text = bytes.toString('utf8');
  const value = parseObject(text);
  new JsonWalk(limits).visit(value);
  const repeat = findRepeat(text);
  if (repeat !== undefined) throw invalidFields([repeat]);
  return value;
}

function parseObject(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw malformedJson(error instanceof Error ? error.message : '');
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw malformedJson('must be a JSON object');
}
