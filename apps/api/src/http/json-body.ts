import type { FastifyRequest } from 'fastify';
import { ApiError } from './api-error.js';
import { unsupported } from './body-config.js';

type Done = (error: Error | null, value?: unknown) => void;

/** Keeps the bytes of a JSON body, and parses them unless the route reads them itself. */
export function takeJson(request: FastifyRequest, body: string | Buffer, done: Done): void {
  const { takes, readsBytes } = request.routeOptions.config;
  if (takes !== undefined) {
    done(unsupported(takes));
    return;
  }
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  request.rawBody = bytes;
  if (readsBytes === true || bytes.length === 0) {
    done(null, undefined);
    return;
  }
  try {
    done(null, parseJsonBody(bytes));
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)));
  }
}

/**
 * Every body of ours is an object; a DTO would take a list or a word for one without fields.
 *
 * @throws ApiError for bytes that are no JSON object.
 */
export function parseJsonBody(bytes: Buffer): object {
  try {
    return parseObject(bytes.toString('utf8'));
  } catch (error) {
    throw malformedJson(error);
  }
}

function parseObject(text: string): object {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new SyntaxError('must be a JSON object');
  }
  // No key can be `__proto__` in a text that has neither the word nor an escape to spell it with.
  if (text.includes('__proto__') || text.includes('\\u')) refusePrototypes(value);
  return value;
}

/** `__proto__` as a key is never meant well; DTOs are filled by key. */
function refusePrototypes(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Object.hasOwn(value, '__proto__')) throw new SyntaxError('__proto__ is not a field');
  for (const child of Object.values(value)) refusePrototypes(child);
}

function malformedJson(error: unknown): ApiError {
  const detail = error instanceof Error ? error.message : '';
  return new ApiError('INVALID_ARGUMENT', {
    reason: 'MALFORMED_JSON',
    message: 'The body is not a valid JSON object.',
    fieldViolations: [{ field: 'body', description: detail }],
  });
}
