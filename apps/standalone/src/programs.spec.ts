import { expect, it } from 'vitest';
import { environmentFor } from './environment.js';
import { appProgram, eventStoreProgram } from './programs.js';

const store = eventStoreProgram('/data/event-store', 2113, '/data/logs/event-store.log');
const { isPassing } = store;

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

it('has authorities of our environment read by those programs alone that reach other machines', () => {
  const ours = { PATH: '/bin', NODE_EXTRA_CA_CERTS: '/ca.pem', MASTER_KEY: 'a secret' };
  const around = { eventStoreUrl: '', redisUrl: '', logLevel: '' };
  for (const name of ['api', 'storefront', 'worker', 'projector', 'store'] as const) {
    const program = name === 'store' ? store : appProgram(name, around, { OWN: '1' }, '');
    const { PATH, NODE_EXTRA_CA_CERTS, MASTER_KEY } = environmentFor(program, ours);
    const isOut = !['projector', 'store'].includes(name);
    expect([name, PATH, NODE_EXTRA_CA_CERTS]).toEqual([
      name,
      '/bin',
      isOut ? '/ca.pem' : undefined,
    ]);
    expect(MASTER_KEY).toBeUndefined();
  }
});
