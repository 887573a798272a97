import type { FastifyRequest } from 'fastify';
import { ApiError } from '../answer/api-error.js';

/**
 * The content types of each kind of body. Windows calls a CSV file by Excel's type where Excel is installed, and so do
 * browsers and programs there.
 */
const CONTENT_TYPES = {
  json: ['application/json'],
  'json or form': ['application/json', 'application/x-www-form-urlencoded'],
  sheet: ['text/csv', 'application/vnd.ms-excel'],
} as const;

/** The kinds of bodies of routes. */
export type BodyKind = keyof typeof CONTENT_TYPES;

export type ContentType = (typeof CONTENT_TYPES)[BodyKind][number];

type RoutedRequest = Pick<FastifyRequest, 'headers' | 'routeOptions'>;

/** Types of the files that a route takes as streams. */
export const SHEET_TYPES = CONTENT_TYPES.sheet;

/** 415 for a body that the route does not take, or that is said to be no plain UTF-8 (rules/api 12). */
export function findUnfit(request: RoutedRequest, type: ContentType): ApiError | undefined {
  const taken: readonly ContentType[] = listTypes(request);
  return taken.includes(type) ? findUnreadable(request) : unsupported(request);
}

const OTHER_CHARSET = /;\s*charset\s*=(?!\s*"?utf-?8"?\s*(?:;|$))/i;

/** 415 for a body whose bytes are declared as no plain UTF-8: they would be misread (rules/api 12). */
export function findUnreadable({ headers }: Pick<FastifyRequest, 'headers'>): ApiError | undefined {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers;
  if (encoding === 'identity' && !OTHER_CHARSET.test(type)) return undefined;
  return unsupportedForm('The body must be UTF-8, without a content encoding.');
}

/** 415, with the content types that the route takes (rules/api 12). */
export function unsupported(request: Pick<FastifyRequest, 'routeOptions'>): ApiError {
  return unsupportedForm(`The content type must be ${listTypes(request).join(' or ')}.`);
}

function listTypes({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>) {
  return CONTENT_TYPES[routeOptions.config.takes ?? 'json'];
}

function unsupportedForm(message: string): ApiError {
  return new ApiError('INVALID_ARGUMENT', {
    reason: 'UNSUPPORTED_CONTENT_TYPE',
    message,
    http: 415,
  });
}
