import { ApiExtension } from '@nestjs/swagger';

/** Headers of answers, as the document's components have them. */
export const ANSWER_HEADERS = {
  'x-request-id': {
    description: "The caller's own id of the request where it sent one; tell it when you ask us.",
    schema: { type: 'string' },
  },
  ETag: {
    description: 'The revision of the object, for `If-Match`.',
    schema: { type: 'string', example: '"3"' },
  },
  'x-consistency-token': {
    description: 'Sent back with a read, it makes the read wait until it shows this write.',
    schema: { type: 'string' },
  },
  'Idempotency-Replayed': {
    description: 'This is the answer that the same request with the same key got before.',
    schema: { type: 'string', example: 'true' },
  },
  Deprecation: {
    description: 'With `X-Service-Api-Key` only: since when that key is deprecated (RFC 9745).',
    schema: { type: 'string' },
  },
  'x-price-sheet-version': {
    description: 'The version of the price sheet, counted from 1.',
    schema: { type: 'integer' },
  },
  'x-tax-rates-version': {
    description: 'The version of the tax rates, counted from 1; 0 where none are in force.',
    schema: { type: 'integer' },
  },
  'x-pricing-rule-version': {
    description: 'The version of the rules that prices are made by.',
    schema: { type: 'string' },
  },
  'Set-Cookie': {
    description: 'The cookie of the session; an empty one ends it.',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Seconds to wait before the next attempt.',
    schema: { type: 'integer' },
  },
} as const;

export type AnswerHeader = keyof typeof ANSWER_HEADERS;

/** The extension under which an operation notes its headers until the document is completed. */
export const ANSWERS_WITH = 'x-answers-with';

/** Documents the headers that come with an operation's answers, beside those that all have. */
export const AnswersWith = (...headers: AnswerHeader[]) => ApiExtension(ANSWERS_WITH, headers);
