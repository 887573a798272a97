import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectEventStore } from '#event-store/connect';
import type { LedgerStore } from '#event-store';
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

it('keeps the furthest of several truncations, whatever their order', async () => {
  await store.append('counter-cut', 'no_stream', [added(), added(), added(), added()]);
  await store.truncations.truncate('counter-cut', 2);
  expect(await store.truncations.truncate('counter-cut', 1)).toMatchObject({ before: 2 });
  expect(await listRevisions('counter-cut')).toEqual([2, 3]);
  await Promise.all([3, 1, 2].map((before) => store.truncations.truncate('counter-cut', before)));
  expect(await store.truncations.find('counter-cut')).toMatchObject({ before: 3 });
  expect(await listRevisions('counter-cut')).toEqual([3]);
});

it('leaves the other metadata of the stream as they are', async () => {
  await store.append('counter-kept', 'no_stream', [added(), added(), added()]);
  const metadata = { ...added(), type: '$metadata', data: { $maxCount: 1 } };
  await store.append('$$counter-kept', 'no_stream', [metadata]);
  await store.truncations.truncate('counter-kept', 1);
  expect(await listRevisions('counter-kept')).toEqual([2]);
});
