import { describe, expect, it } from '@jest/globals';
import { encodeRecord, type LoggedRecord } from '../storage/record.js';
import { compileFilter } from './event-filter.js';

function logged(stream: string, type: string): LoggedRecord {
  const bytes = Buffer.alloc(0);
  const event = { id: Buffer.alloc(16), type, isJson: false, metadata: bytes, data: bytes };
  return {
    position: 1,
    record: encodeRecord(stream, event, { position: 1, revision: 0, createdMs: 0 }),
  };
}

const CHUNK = [logged('a-1', 'x.one'), logged('ü-1', 'y.two'), logged('$$a-1', '$metadata')];

function matches(on: 'stream' | 'type', regex: string, prefixes: string[] = []): boolean[] {
  return compileFilter({ on, regex, prefixes, checkpointInterval: 1 })(CHUNK);
}

describe('a filter', () => {
  it.each([
    ['stream', '', ['a-'], [true, false, false]],
    ['stream', '', ['ü'], [false, true, false]],
    ['stream', '', ['a-1x'], [false, false, false]],
    ['stream', '', ['b-', '$$'], [false, false, true]],
    ['type', '', ['x.', 'y.'], [true, true, false]],
    ['stream', '^a', [], [true, false, false]],
    ['type', '^[^\\$].*', [], [true, true, false]],
    ['type', '(?i)^X\\.ONE\\Z', [], [true, false, false]],
    ['type', '\\Ax\\-?', [], [true, false, false]],
    ['stream', '^a', ['nothing'], [true, false, false]],
  ] as const)('on the %s with "%s" and prefixes %j', (on, regex, prefixes, expected) => {
    expect(matches(on, regex, [...prefixes])).toEqual(expected);
  });

  it('that is not there wants everything', () => {
    expect(compileFilter(undefined)(CHUNK)).toEqual([true, true, true]);
  });

  it.each(['(', '*', 'x'.repeat(5000)])('refuses an expression it can not use', (regex) => {
    expect(() => matches('type', regex)).toThrow('regular expression');
  });

  it('gives up on an expression that takes too long', () => {
    const chunk = [logged(`${'a'.repeat(50)}!`, 't')];
    const filter = compileFilter({
      on: 'stream',
      regex: '^(a+)+$',
      prefixes: [],
      checkpointInterval: 1,
    });
    expect(() => filter(chunk)).toThrow('takes too long');
  });
});
