import { expect, it } from '@jest/globals';
import { eventStoreProgram } from './programs.js';

const { isPassing } = eventStoreProgram('/data/event-store', 2113, '/data/logs/event-store.log');

it.each([
  // Seen on a full disk, before SIGABRT; the buffer of lmdb's message is overrun.
  'Write error: No space left on device position 126976, size 4096\nmunmap_chunk(): invalid pointer',
  'The event store could not write to its disk and ends: Commit failed (see commitError for details)',
])('knows that a failed write passes: "%s"', (words) => {
  expect(isPassing?.(words)).toBe(true);
});

it.each(['', 'mdb.c:2345: Assertion failed in mdb_page_touch()'])(
  'takes other last words of a crash for those of damage: "%s"',
  (words) => {
    expect(isPassing?.(words)).toBe(false);
  },
);
