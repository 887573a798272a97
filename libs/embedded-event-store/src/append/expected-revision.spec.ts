import { describe, expect, it } from 'vitest';
import {
  ANY,
  decideAppend,
  NO_STREAM,
  STREAM_EXISTS,
  type StreamHistory,
} from './expected-revision.js';

const id = (n: number): Buffer => Buffer.alloc(16, n);

/** A stream whose event at revision n has the id n. */
function events(lastRevision: number, more: Partial<StreamHistory> = {}): StreamHistory {
  return {
    lastRevision,
    isTombstoned: false,
    isSoftDeleted: () => false,
    hasMetadata: () => false,
    recent: () => undefined,
    storedWithId: (revision, wanted) =>
      revision <= lastRevision && wanted.equals(id(revision))
        ? { revision, position: revision + 100 }
        : undefined,
    ...more,
  };
}

const recent: Partial<StreamHistory> = {
  recent: (wanted) => {
    const revision = wanted[0] ?? 0;
    return revision <= 2 ? { revision, position: revision + 100 } : undefined;
  },
};

describe('a tombstoned stream', () => {
  it.each([ANY, NO_STREAM, STREAM_EXISTS, 3])('refuses at %d', (expected) => {
    const stream = events(3, { isTombstoned: true });
    expect(decideAppend(stream, expected, [id(9)]).kind).toBe('stream-deleted');
  });
});

describe('a soft-deleted stream', () => {
  const stream = events(2, { isSoftDeleted: () => true, hasMetadata: () => true });

  it.each([
    ['stream_exists', STREAM_EXISTS, 'stream-deleted'],
    ['any', ANY, 'write'],
    ['no_stream', NO_STREAM, 'write'],
    ['its last revision', 2, 'write'],
    ['a passed revision', 0, 'wrong-version'],
  ] as const)('at %s', (_rule, expected, kind) => {
    expect(decideAppend(stream, expected, [id(9)]).kind).toBe(kind);
  });

  it('still knows a retry of its first events', () => {
    const decision = decideAppend(stream, NO_STREAM, [id(0), id(1)]);
    expect(decision).toEqual({ kind: 'idempotent', last: { revision: 1, position: 101 } });
  });
});

describe('a retry', () => {
  it.each([
    ['the same ids', NO_STREAM, [0, 1, 2], 'idempotent'],
    ['the first of the ids', NO_STREAM, [0], 'idempotent'],
    ['the same ids later on', 0, [1, 2], 'idempotent'],
    ['other ids', NO_STREAM, [8, 9], 'wrong-version'],
    ['one id too many', 1, [2, 3], 'wrong-version'],
    ['the same ids in another order', NO_STREAM, [1, 0], 'wrong-version'],
    ['no ids', NO_STREAM, [], 'wrong-version'],
  ] as const)('at a passed revision with %s', (_rule, expected, ids, kind) => {
    expect(decideAppend(events(2), expected, ids.map(id)).kind).toBe(kind);
  });

  it.each([
    ['known ids', [1, 2], 'idempotent'],
    ['unknown ids', [8, 9], 'write'],
    ['a known and an unknown id', [2, 9], 'wrong-version'],
    ['an unknown and a known id', [9, 2], 'write'],
    ['no ids', [], 'write'],
  ] as const)('at any with %s', (_rule, ids, kind) => {
    expect(decideAppend(events(2, recent), ANY, ids.map(id)).kind).toBe(kind);
    expect(decideAppend(events(2, recent), STREAM_EXISTS, ids.map(id)).kind).toBe(kind);
  });
});

describe('a stream without events', () => {
  it.each([
    ['no_stream', NO_STREAM, 'write'],
    ['any', ANY, 'write'],
    ['stream_exists', STREAM_EXISTS, 'wrong-version'],
    ['a revision', 0, 'wrong-version'],
  ] as const)('at %s', (_rule, expected, kind) => {
    expect(decideAppend(events(-1), expected, [id(9)]).kind).toBe(kind);
  });

  it('exists for stream_exists when it has metadata', () => {
    const stream = events(-1, { hasMetadata: () => true });
    expect(decideAppend(stream, STREAM_EXISTS, [id(9)]).kind).toBe('write');
  });
});
