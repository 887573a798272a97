import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectEventStore } from '#event-store/connect';
import type { LedgerStore } from '#event-store';
import { eventually } from '../../support/eventually.js';
import { added, RestartableStore } from './support.js';

let server: RestartableStore;
let store: LedgerStore;

beforeAll(async () => {
  server = await RestartableStore.start();
  store = connectEventStore(server.connectionString);
});
afterAll(async () => {
  await store.dispose();
  await server.remove();
});

async function listRevisions(streamName: string): Promise<number[]> {
  const revisions: number[] = [];
  for await (const { revision } of store.readStream(streamName)) revisions.push(revision);
  return revisions;
}

it('a stream that is limited keeps so many events, and goes on counting its revisions', async () => {
  await store.lifetimes.limit('counter-short', { maxAgeSeconds: 60, maxCount: 2 });
  await store.append('counter-short', 'any', [added(), added(), added()]);
  expect(await listRevisions('counter-short')).toEqual([1, 2]);
  await store.append('counter-short', 'any', [added()]);
  expect(await listRevisions('counter-short')).toEqual([2, 3]);
});

it('forgets what is older than its age', async () => {
  await store.lifetimes.limit('counter-old', { maxAgeSeconds: 1 });
  await store.append('counter-old', 'any', [added()]);
  expect(await listRevisions('counter-old')).toEqual([0]);
  await eventually(async () => (await listRevisions('counter-old')).length === 0);
  await store.append('counter-old', 'any', [added()]);
  expect(await listRevisions('counter-old')).toEqual([1]);
});

it('is said once, beside what else is said of the stream, also by several at once', async () => {
  await store.append('counter-cut', 'no_stream', [added(), added(), added(), added()]);
  await store.truncations.truncate('counter-cut', 1);
  const other = connectEventStore(server.connectionString);
  const limit = { maxCount: 2 };
  await Promise.all([store, other].map((each) => each.lifetimes.limit('counter-cut', limit)));
  await other.dispose();
  expect(await listRevisions('counter-cut')).toEqual([2, 3]);
  expect(await store.truncations.find('counter-cut')).toMatchObject({ before: 1 });
  const last = { backwards: true, maxCount: 1 };
  const [said] = await store.verbatim.readStream('$$sl.counter-37.cut', last);
  // The truncation, and the limit once.
  expect(said?.revision).toBe(1);
});

it('a truncation is the furthest of several, whatever their order', async () => {
  await store.append('counter-far', 'no_stream', [added(), added(), added(), added()]);
  await store.truncations.truncate('counter-far', 2);
  expect(await store.truncations.truncate('counter-far', 1)).toMatchObject({ before: 2 });
  expect(await listRevisions('counter-far')).toEqual([2, 3]);
  await Promise.all([3, 1, 2].map((before) => store.truncations.truncate('counter-far', before)));
  expect(await store.truncations.find('counter-far')).toMatchObject({ before: 3 });
  expect(await listRevisions('counter-far')).toEqual([3]);
});

it('a truncation leaves the other metadata of its stream as they are', async () => {
  await store.append('counter-kept', 'no_stream', [added(), added(), added()]);
  const metadata = { ...added(), type: '$metadata', data: { $maxCount: 1 } };
  await store.append('$$counter-kept', 'no_stream', [metadata]);
  await store.truncations.truncate('counter-kept', 1);
  expect(await listRevisions('counter-kept')).toEqual([2]);
});
