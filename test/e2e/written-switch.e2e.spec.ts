import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BACKWARDS, END, jsonEvent } from '@eventstore/db-client';
import { watchLedger } from '#event-store';
import { createLogger } from '#platform';
import { subledger } from '../support/cli.js';
import { eventually } from '../support/eventually.js';
import { StoreProcess } from '../support/store-process.js';
import { type Place, withClient, withLedger } from '../support/store-place.js';

const STREAM = 'sl.counter-dd.idle';
const log = createLogger('written-switch', { level: 'silent' });

let root: string;
const places: Place[] = [];
async function startPlace(name: string): Promise<Place> {
  const dir = path.join(root, name);
  const place = { dir, store: await StoreProcess.start(dir) };
  places.push(place);
  return place;
}

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'written-switch-'));
});
afterAll(async () => {
  for (const { store } of places) await store.kill();
  await rm(root, { recursive: true, force: true });
});

/** As an idle program: it looks now and then, and gets its next request when the ledger is closed. */
async function writeUntilNoticed(source: Place): Promise<number> {
  return withLedger(source, (store) =>
    withClient(source, async (client) => {
      const identity = await store.namespaces.require();
      const stop = new AbortController();
      const noticed = new AbortController();
      const looking = watchLedger({ store, identity, signal: stop.signal, log }).catch(() =>
        noticed.abort(),
      );
      const isClosed = async () => (await store.namespaces.find())?.movedTo !== undefined;
      await eventually(isClosed, { what: 'the closing' });
      let acknowledged = 0;
      while (!noticed.signal.aborted) {
        await client.appendToStream(STREAM, [jsonEvent({ type: 'counter.added.v1', data: {} })]);
        acknowledged += 1;
      }
      stop.abort();
      await looking;
      return acknowledged;
    }),
  );
}

it('a switch beside a program that has not looked yet has all that the source acknowledged', async () => {
  const [source, target] = [await startPlace('source'), await startPlace('target')];
  await withLedger(source, (store) => store.namespaces.open(1));
  const writing = writeUntilNoticed(source);
  const copied = await subledger(
    ['store', 'copy', '--from', source.dir, '--to', target.dir, '--switch', '--json'],
    {},
  );
  expect(copied).toMatchObject({ code: 0, stderr: '' });
  const acknowledged = await writing;
  expect(acknowledged).toBeGreaterThan(0);
  expect(JSON.parse(copied.stdout)).toMatchObject({ isSame: true, isSwitched: true });
  const read = { direction: BACKWARDS, fromRevision: END, maxCount: 1 } as const;
  const head = await withClient(target, async (client) => {
    for await (const { event } of client.readStream(STREAM, read)) return Number(event?.revision);
    return -1;
  });
  expect(head + 1).toBe(acknowledged);
});
