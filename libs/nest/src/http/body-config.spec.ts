import { expect, it } from '@jest/globals';
import { findUnreadable } from './body-config.js';

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
