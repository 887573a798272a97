import { expect, it } from 'vitest';
import { createLogger } from '#platform';
import { type BodyKind, findUnreadable } from '../body/content-types.js';
import { answerError } from './error.filter.js';
import { createFastifyAdapter } from './server.js';

const JSON_TYPE = 'application/json';

it.each([
  {},
  { 'content-type': JSON_TYPE },
  { 'content-type': `${JSON_TYPE}; charset=utf-8` },
  { 'content-type': `${JSON_TYPE};charset="UTF-8"; version=1` },
  { 'content-type': 'text/csv; header=present; charset=utf8' },
  { 'content-type': JSON_TYPE, 'content-encoding': 'identity' },
])('a body is read as UTF-8: %j', (headers) => {
  expect(findUnreadable({ headers })).toBeUndefined();
});

it.each([
  { 'content-type': `${JSON_TYPE}; charset=latin1` },
  { 'content-type': `${JSON_TYPE}; charset=utf-16` },
  { 'content-type': `${JSON_TYPE}; charset="utf-8859"` },
  { 'content-type': 'text/csv; charset=iso-8859-1' },
  { 'content-type': JSON_TYPE, 'content-encoding': 'gzip' },
])('a body that is said to be no plain UTF-8 is 415: %j', (headers) => {
  expect(findUnreadable({ headers })).toMatchObject({
    ...{ http: 415, reason: 'UNSUPPORTED_CONTENT_TYPE' },
    message: 'The body must be UTF-8, without a content encoding.',
  });
});

/** The answer to a body of this type, on a route of this kind. */
async function answerTo(takes: BodyKind | undefined, type: string | undefined): Promise<string> {
  const log = createLogger('test', { level: 'silent' });
  const fastify = createFastifyAdapter(log, new AbortController().signal).getInstance();
  fastify.setErrorHandler((error, request, reply) => answerError(error, request, reply, log));
  const config = takes === undefined ? {} : { takes };
  fastify.post('/', { config }, async ({ body }) => ({
    message: body === undefined ? '' : 'taken',
  }));
  const headers = type === undefined ? {} : { 'content-type': type };
  const answer = await fastify.inject({
    method: 'POST',
    url: '/',
    headers,
    payload: Buffer.from('{}'),
  });
  await fastify.close();
  return answer.json<{ message: string }>().message;
}

const JSON_ALONE = 'The content type must be application/json.';
const FORM_OR_JSON =
  'The content type must be application/json or application/x-www-form-urlencoded.';
const SHEET = 'The content type must be text/csv or application/vnd.ms-excel.';

it.each<[BodyKind | undefined, string | undefined, string]>([
  [undefined, undefined, JSON_ALONE],
  [undefined, 'text/csv', JSON_ALONE],
  [undefined, 'application/vnd.ms-excel', JSON_ALONE],
  [undefined, 'no type', JSON_ALONE],
  ['json or form', undefined, FORM_OR_JSON],
  ['json or form', 'text/csv', FORM_OR_JSON],
  ['sheet', undefined, SHEET],
  ['sheet', 'application/json', SHEET],
  ['sheet', 'application/octet-stream', SHEET],
  ['sheet', 'application/x-www-form-urlencoded', SHEET],
  ['sheet', 'no type', SHEET],
])('a route that takes %s names its own types to a body of type %s', async (takes, type, said) => {
  expect(await answerTo(takes, type)).toBe(said);
});

it.each<[BodyKind, string]>([
  ['json', 'application/json'],
  ['json or form', 'application/json; charset=utf-8'],
  ['sheet', 'text/csv; header=present'],
  ['sheet', 'application/vnd.ms-excel'],
])('a route that takes %s takes a body of type %s', async (takes, type) => {
  expect(await answerTo(takes, type)).toBe('taken');
});
