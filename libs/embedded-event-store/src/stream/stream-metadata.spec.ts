import { describe, expect, it } from 'vitest';
import {
  NO_METADATA,
  parseStreamMetadata,
  SOFT_DELETE_JSON,
  withTruncateBefore,
} from './stream-metadata.js';

const parse = (text: string): unknown => parseStreamMetadata(Buffer.from(text));

describe('stream metadata', () => {
  it('is read by its system keys', () => {
    expect(parse('{"$maxCount":3,"$maxAge":2,"$tb":7,"$acl":{},"own":1}')).toEqual({
      maxCount: 3,
      maxAgeMs: 2000,
      truncateBefore: 7,
      softDeleted: false,
    });
  });

  it.each([
    '',
    'x',
    'null',
    '[]',
    '1',
    '{"$maxCount":0}',
    '{"$maxAge":"1"}',
    '{"$tb":-1}',
    '{"$tb":1.5}',
  ])('that is not valid counts as none: %s', (text) => {
    expect(parse(text)).toEqual(NO_METADATA);
  });

  it('knows a soft delete in the spelling of the server and of JavaScript', () => {
    expect(SOFT_DELETE_JSON.toString()).toBe('{"$tb":9223372036854775807}');
    expect(parseStreamMetadata(SOFT_DELETE_JSON).softDeleted).toBe(true);
    expect(parse('{"$tb":9223372036854776000}')).toMatchObject({ softDeleted: true });
    expect(parse('{"$tb":9007199254740991}')).toMatchObject({ softDeleted: false });
  });

  it('keeps its other keys when a stream is undeleted', () => {
    const json = withTruncateBefore(Buffer.from('{"own":{"a":[1]},"$tb":9223372036854775807}'), 4);
    expect(JSON.parse(json.toString())).toEqual({ own: { a: [1] }, $tb: 4 });
  });
});
