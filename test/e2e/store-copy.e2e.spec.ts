import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { binaryEvent, type EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { StoreProcess } from '../support/store-process.js';
import { subledger } from '../cli/subledger.js';
import { eventually } from '../support/eventually.js';
import { runProgramToEnd } from '../support/program.js';
import { RunningCopy } from '../support/running-copy.js';
import { type Place, restart, withClient, withLedger } from '../support/store-place.js';

let root: string;
let source: Place;
const places: Place[] = [];

async function startPlace(name: string): Promise<Place> {
  const dir = path.join(root, name);
  const place = { dir, store: await StoreProcess.start(dir) };
  places.push(place);
  return place;
}

const event = (n: number) => jsonEvent({ type: 'counter.added.v1', data: { n } });
const range = (count: number) => Array.from({ length: count }, (_, n) => n);
const hex = (n: number) => (n % 256).toString(16).padStart(2, '0');
const stream = (n: number) => `sl.counter-${hex(n * 37)}.c_${n}`;

/** As a person types it. */
const copy = (target: Place, ...options: string[]) =>
  subledger(['store', 'copy', '--from', source.dir, '--to', target.dir, ...options], {});

interface Report {
  readonly [field: string]: unknown;
  readonly isSame: boolean;
  readonly differences: readonly { readonly stream: string }[];
}
const readReport = (text: string) => JSON.parse(text.trim().split('\n').at(-1) ?? '') as Report;

/** Name, revision, id, type, data and metadata of all that can be read of the namespace. */
async function readAll(place: Place, ...streams: string[]) {
  return withClient(place, async (client) => {
    const found: unknown[] = [];
    for (const name of streams) {
      try {
        for await (const { event: read } of client.readStream(name)) {
          const { streamId, revision, id, type, data, metadata } = read!;
          found.push([streamId, Number(revision), id, type, data, metadata]);
        }
      } catch (error) {
        found.push([name, (error as { type?: string }).type]);
      }
    }
    return found;
  });
}

const STREAMS = [
  ...range(30).map(stream),
  ...['limited', 'deleted', 'again', 'ended', 'binary'].map((name) => `sl.counter-aa.${name}`),
];

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'store-copy-'));
  // The standalone's store.
  source = await startPlace(path.join('source', 'event-store'));
  await withLedger(source, (store) => store.namespaces.open(4));
  await withClient(source, async (client) => {
    for (const n of range(30))
      await client.appendToStream(stream(n), range(1 + (n % 7)).map(event));
    await client.appendToStream('other.counter-00.x', [event(1)]);
    await client.setStreamMetadata('sl.counter-aa.limited', { maxCount: 2, own: 'kept' });
    await client.appendToStream('sl.counter-aa.limited', range(5).map(event));
    await client.appendToStream('sl.counter-aa.deleted', range(3).map(event));
    await client.deleteStream('sl.counter-aa.deleted');
    await client.appendToStream('sl.counter-aa.again', range(3).map(event));
    await client.deleteStream('sl.counter-aa.again');
    await client.appendToStream('sl.counter-aa.again', range(2).map(event));
    await client.appendToStream('sl.counter-aa.ended', range(3).map(event));
    await client.tombstoneStream('sl.counter-aa.ended');
    const data = Buffer.from([0, 255, 1]);
    await client.appendToStream('sl.counter-aa.binary', [binaryEvent({ type: 'b', data })]);
  });
});
afterAll(async () => {
  for (const { store } of places) await store.kill();
  await rm(root, { recursive: true, force: true });
});

describe('subledger store copy', () => {
  let target: Place;

  it('copies every stream, with ids, revisions, metadata and deletions, and no other namespace', async () => {
    target = await startPlace('whole');
    const { code, stdout, stderr } = await copy(target, '--until-caught-up', '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(readReport(stdout)).toMatchObject({ isSame: true, differing: 0, truncated: 0 });
    expect(await readAll(target, ...STREAMS)).toEqual(await readAll(source, ...STREAMS));
    expect(await readAll(target, 'other.counter-00.x')).toEqual([
      ['other.counter-00.x', 'stream-not-found'],
    ]);
    const again = await copy(target, '--until-caught-up');
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toMatch(/ 0 of them copied now\.\nSource and target hold the same/);
  });

  it('opens the namespace in the target at the switch, as the same ledger under another layout, and ends', async () => {
    const identity = (place: Place) => withLedger(place, (store) => store.namespaces.list());
    expect(await identity(target)).toEqual([]);
    const [before] = await identity(source);
    const { code, stdout } = await copy(target, '--switch');
    expect([code, stdout]).toEqual([0, expect.stringContaining('The target is the ledger now')]);
    expect(await identity(source)).toEqual([]);
    const [after] = await identity(target);
    expect(after).toMatchObject({ storeId: before?.storeId, partitions: 4, before: null });
    expect(after?.layoutId).toMatch(/\.1r[0-9a-f]{8}$/);
    const again = await copy(target, '--switch');
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(again.stderr).toMatch(/is open in the target \(this ledger, which was switched/);
  });

  it('closes the source: no program starts on it, and each says where the ledger is', async () => {
    const sentence =
      `The ledger "sl" was moved from this event store to 127.0.0.1:${target.store.port}: start its programs with ` +
      'that one (EVENTSTOREDB_URL), or take the move back before any has run there ' +
      '(subledger store copy --switch-back).';
    const env = { EVENTSTOREDB_URL: source.store.connectionString };
    const [projector, init, check] = await Promise.all([
      runProgramToEnd('projector', { ...env, REDIS_URL: 'redis://127.0.0.1:1' }),
      subledger(['store', 'init'], env),
      subledger(['store', 'check'], env),
    ]);
    expect(projector).toEqual({ code: 78, stderr: `subledger projector: ${sentence}\n` });
    expect(init).toEqual({ code: 1, stdout: '', stderr: `subledger: ${sentence}\n` });
    expect(check.stdout).toContain(`"sl" was moved to 127.0.0.1:${target.store.port}\n`);
  });

  it('is taken back by --switch-back, where nothing was written in the target', async () => {
    const back = await copy(target, '--switch-back');
    expect([back.code, back.stdout]).toEqual([
      0,
      expect.stringContaining('The source is the ledger again'),
    ]);
    expect(await withLedger(target, (store) => store.namespaces.list())).toEqual([]);
    const [open] = await withLedger(source, (store) => store.namespaces.list());
    expect(open).toMatchObject({ namespace: 'sl', partitions: 4 });
  });

  it('names streams that differ, ends with 1, and leaves such a target closed at a switch', async () => {
    const differing = await startPlace('differs');
    await copy(differing, '--until-caught-up');
    await withClient(differing, async (client) => {
      await client.appendToStream('sl.counter-bb.own', [event(1)]);
      await client.appendToStream(stream(3), [event(1)]);
    });
    const { code, stdout, stderr } = await copy(differing, '--switch', '--json');
    expect(code).toBe(1);
    expect(stderr).toMatch(/Source and target differ/);
    const named = readReport(stdout).differences.map(({ stream: name }) => name);
    expect(named.sort()).toEqual([stream(3), 'sl.counter-bb.own'].sort());
    expect(await withLedger(differing, (store) => store.namespaces.list())).toEqual([]);
  });
});

/** Resolves when a copy has written that many more records of how far it is. */
async function recordsWritten(place: Place, count: number): Promise<void> {
  await withClient(place, async (client) => {
    const records = client.subscribeToStream('subledger_copy-sl', { fromRevision: 'start' });
    let left = count;
    for await (const _ of records) if ((left -= 1) === 0) break;
  });
}

async function countEvents(client: EventStoreDBClient, name: string): Promise<number> {
  let count = 0;
  try {
    for await (const _ of client.readStream(name)) count += 1;
  } catch {
    // There is no such stream yet.
  }
  return count;
}

describe('a copy that is interrupted', () => {
  it('goes on where it was, whatever is killed, and ends with equal stores', async () => {
    const from = await startPlace('much');
    const to = await startPlace('interrupted');
    await withLedger(from, (store) => store.namespaces.open(4));
    // The client gives an append ten seconds from its call, so that a busy machine is not asked for all at once.
    await withClient(from, async (client) => {
      const append = (n: number) => client.appendToStream(stream(n), range(80).map(event));
      for (const first of range(15)) {
        await Promise.all(range(10).map((n) => append(first * 10 + n)));
      }
    });
    const killed = new RunningCopy(from.dir, to.dir, '--until-caught-up');
    await recordsWritten(to, 1);
    await killed.end('SIGKILL');
    const running = new RunningCopy(from.dir, to.dir, '--until-caught-up');
    await recordsWritten(to, 2);
    await restart(to);
    await recordsWritten(to, 3);
    await restart(from);
    expect(await running.end()).toBe(0);
    expect(readReport(running.stdout)).toMatchObject({
      isSame: true,
      events: 12_000,
      streams: 150,
    });
    const streams = range(20).map(stream);
    expect(await readAll(to, ...streams)).toEqual(await readAll(from, ...streams));
  });
});

describe('a copy that follows', () => {
  it('says that it has caught up, goes on, and ends at SIGTERM with all that there is', async () => {
    const target = await startPlace('followed');
    const running = new RunningCopy(source.dir, target.dir);
    const append = () =>
      withClient(source, (client) => client.appendToStream('sl.counter-cc.late', [event(1)]));
    await eventually(async () => running.stdout.includes('"caughtUp":true'), { what: 'the copy' });
    await append();
    const isThere = async () =>
      (await withClient(target, (client) => countEvents(client, 'sl.counter-cc.late'))) === 1;
    await eventually(isThere, { what: 'the late event' });
    await append();
    expect(await running.end('SIGTERM')).toBe(0);
    expect(readReport(running.stdout)).toMatchObject({ isSame: true });
    const [both, expected] = [
      await readAll(target, 'sl.counter-cc.late'),
      await readAll(source, 'sl.counter-cc.late'),
    ];
    expect(both).toEqual(expected);
    expect(both).toHaveLength(2);
  });
});

describe('a copy of a store that was scavenged', () => {
  it('begins a truncated stream with its first event left, and names it', async () => {
    const limited = 'sl.counter-aa.limited';
    const before = await readAll(source, ...STREAMS);
    await withLedger(source, async ({ scavenges }) => {
      await scavenges.start();
      const isOver = async () => (await scavenges.list())?.[0]?.result === 'Success';
      await eventually(isOver, { what: 'the scavenge' });
    });
    expect(await readAll(source, ...STREAMS)).toEqual(before);
    const target = await startPlace('of-scavenged');
    const { code, stdout } = await copy(target, '--until-caught-up', '--json');
    expect(readReport(stdout)).toMatchObject({ isSame: true, differing: 0 });
    expect(code).toBe(0);
    expect(stdout).toContain(limited);
    const whole = STREAMS.filter((name) => !/limited|deleted|again/.test(name));
    expect(await readAll(target, ...whole)).toEqual(await readAll(source, ...whole));
    // Of an event as it is read, its revision alone is another.
    const renumbered = (await readAll(source, limited)).map((read, revision) => {
      const [name, , ...others] = read as unknown[];
      return [name, revision, ...others];
    });
    expect(renumbered).toHaveLength(2);
    expect(await readAll(target, limited)).toEqual(renumbered);
  });
});
