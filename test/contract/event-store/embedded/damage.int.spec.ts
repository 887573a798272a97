/** A damaged store names the damaged file, the place, and the remedy; it never dies by a signal. */
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EventStoreDBClient } from '@eventstore/db-client';
import { open, type Database } from 'lmdb';
import { status } from '@grpc/grpc-js';
import { startEventStore, StartRefused } from '#embedded-event-store';
import { positionKeys } from '../../../../libs/embedded-event-store/src/storage/keys.js';
import { runVerify } from '../../../../libs/embedded-event-store/src/verify/verify-command.js';
import { spawnStore, StoreProcess } from '../../../support/store-process.js';
import { eventually } from '../../../support/eventually.js';
import { collect, event, events, failureStatus } from '../subject.js';

const PAGE = 4096;
/** In one event each, near the middle and last of all. */
const MARK = Buffer.from('here-is-the-middle');
const END_MARK = Buffer.from('here-is-the-end');
/** The bytes before the content of the one event that has this type, which is packed. */
const PACKED_TYPE = 'packed.v1';

let dataDir: string;
let file: string;
let whole: Buffer;
let position: number;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'event-store-damage-'));
  file = path.join(dataDir, 'events.mdb');
  const store = await startEventStore({ port: 0, dataDir, insecure: true });
  const client = EventStoreDBClient.connectionString(store.connectionString);
  for (let n = 0; n < 20; n += 1) await client.appendToStream(`s-${n % 5}`, events(100));
  const marked = [event({ text: MARK.toString() })];
  position = Number((await client.appendToStream('s-1', marked)).position?.commit);
  await client.appendToStream('s-1', [event({ text: 'again and '.repeat(99) }, PACKED_TYPE)]);
  for (let n = 0; n < 20; n += 1) await client.appendToStream(`s-${n % 5}`, events(100));
  await client.appendToStream('s-2', [event({ text: END_MARK.toString() })]);
  await client.dispose();
  await store.stop();
  whole = await readFile(file);
});
afterAll(async () => rm(dataDir, { recursive: true, force: true }));

/** Writes the store with every copy of a text treated: lmdb leaves old pages in the file. */
async function damage(text: Buffer, treat: (bytes: Buffer, at: number) => void): Promise<void> {
  const bytes = Buffer.from(whole);
  let times = 0;
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + text.length)) {
    treat(bytes, at);
    times += 1;
  }
  expect(times).toBeGreaterThan(0);
  await writeFile(file, bytes);
}

const flip = (bytes: Buffer, at: number): void =>
  void bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
const zeroPage = (bytes: Buffer, at: number): void => {
  bytes.fill(0, at - (at % PAGE), at - (at % PAGE) + PAGE);
};

async function verify(): Promise<{ exitCode: number; text: string }> {
  const { exitCode, out = '', err = '' } = await runVerify(['--data-dir', dataDir]);
  return { exitCode, text: out + err };
}

describe('verify', () => {
  it('says of a whole store that it is whole, as a sentence and as JSON', async () => {
    await writeFile(file, whole);
    const { exitCode, text } = await verify();
    expect(text).toBe(`The event store in ${dataDir} is whole: 4,004 events in 6 streams.`);
    expect(exitCode).toBe(0);
    const json = await runVerify(['--data-dir', dataDir, '--json']);
    expect(JSON.parse(json.out ?? '')).toMatchObject({ isWhole: true, damagedEvents: 0 });
  });

  it.each([
    ['a changed byte', flip, 'its checksum is wrong'],
    ['a zeroed page', zeroPage, 'MDB_'],
  ])('names the first damaged position and its stream after %s', async (_what, treat, why) => {
    await damage(MARK, treat);
    const { exitCode, text } = await verify();
    expect(exitCode).toBe(65);
    expect(text).toContain(`The event store in ${dataDir} is damaged`);
    expect(text).toContain(why);
    expect(text).toMatch(/of the stream s-\d/);
    expect(text).toContain('Restore the directory from a backup');
    const found = Number(/position (\d+)/.exec(text)?.[1]);
    expect(found).toBeLessThanOrEqual(position);
    expect(found).toBeGreaterThan(position - 30);
  });

  it('looks at the checksum before it unpacks what has a wrong length', async () => {
    const packed = Buffer.from(`s-1${PACKED_TYPE}`);
    await damage(packed, (bytes, at) => void bytes.writeUIntBE(0xffffff, at + packed.length, 3));
    const { exitCode, text } = await verify();
    expect(exitCode).toBe(65);
    expect(text).toContain(`position ${position + 1} of events.mdb: its checksum is wrong`);
  });

  it('notices an index that leads elsewhere', async () => {
    const store = await sound();
    const client = EventStoreDBClient.connectionString(store.connectionString);
    const [last] = await collect(client.readStream('s-3', { direction: 'backwards', maxCount: 1 }));
    const at = Number(last!.event!.position!.commit);
    await client.dispose();
    await store.stop();
    // An entry of the index: the end of its key, the revision, and then the position.
    const entry = Buffer.alloc(12);
    entry.writeUIntBE(Number(last!.event!.revision), 0, 6);
    entry.writeUIntBE(at, 6, 6);
    await damage(entry, (bytes, found) => flip(bytes, found + 11));
    const { exitCode, text } = await verify();
    expect(exitCode).toBe(65);
    expect(text).toContain(`position ${at} of events.mdb`);
    expect(text).toContain('the index does not lead to');
  });

  it('is a command of the program, with its exit code', async () => {
    await damage(MARK, flip);
    const child = spawnStore(['verify', '--data-dir', dataDir, '--json']);
    const [out] = (await once(child.stdout!, 'data')) as [Buffer];
    if (child.exitCode === null) await once(child, 'close');
    expect(child.exitCode).toBe(65);
    expect(JSON.parse(out.toString())).toMatchObject({
      isWhole: false,
      damagedEvents: 1,
      first: { position, stream: 's-1' },
    });
  });

  it('refuses a store in use, a directory without one, and bad usage', async () => {
    const store = await sound();
    expect(await verify()).toMatchObject({ exitCode: 1, text: expect.stringContaining('in use') });
    await store.stop();
    const missing = await runVerify(['--data-dir', path.join(dataDir, 'nothing')]);
    expect(missing).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('There is no event'),
    });
    expect((await runVerify(['--fast'])).exitCode).toBe(2);
    const { out } = await runVerify(['--help']);
    expect(out).toContain('verify [--data-dir DIR]');
    expect(out).toContain('must be writable');
  });
});

async function sound(): ReturnType<typeof startEventStore> {
  await writeFile(file, whole);
  return startEventStore({ port: 0, dataDir, insecure: true });
}

/** Changes the table of events of the whole store, which is not open elsewhere. */
async function changeEvents(
  act: (table: Database<Buffer, number>) => Promise<void>,
): Promise<void> {
  await writeFile(file, whole);
  const root = open({ path: file, noSubdir: true, maxDbs: 3, encoding: 'binary' });
  const table = { name: 'events', encoding: 'binary', keyEncoder: positionKeys } as const;
  await act(root.openDB<Buffer, number>(table));
  await root.close();
}

describe('a store that is damaged', () => {
  it.each([
    ['a changed byte', flip],
    ['a zeroed page', zeroPage],
  ])('by %s fails the read and tells it once', async (_what, treat) => {
    await damage(MARK, treat);
    const reported: Error[] = [];
    const onDamaged = (error: Error): void => void reported.push(error);
    const store = await startEventStore({ port: 0, dataDir, insecure: true, onDamaged });
    const client = EventStoreDBClient.connectionString(store.connectionString);
    for (const read of [() => client.readStream('s-1'), () => client.readAll()]) {
      const error = await failureStatus(collect(read() as AsyncIterable<unknown>));
      expect(error.code).toBe(status.DATA_LOSS);
      expect(error.message).toContain(`The event store in ${dataDir} is damaged`);
      expect(error.message).toContain('restore the directory from a backup');
    }
    expect(reported).toHaveLength(1);
    await expect(client.appendToStream('s-4', [event()])).rejects.toBeDefined();
    await client.dispose();
    await store.stop();
  });

  it('is refused at the start where an event is missing before the last one', async () => {
    await changeEvents(async (table) => expect(await table.remove(position)).toBe(true));
    const starting = startEventStore({ port: 0, dataDir, insecure: true });
    await expect(starting).rejects.toThrow('events.mdb: it is the last one, of ');
  });

  it('by content that cannot be unpacked, under a right checksum, fails the read and says why', async () => {
    const at = position + 1;
    const why = `position ${at} of events.mdb: its content asks for dictionary 33`;
    await changeEvents(async (table) => {
      const record = Buffer.from(table.getBinary(at)!);
      record.writeUInt8(33 << 1, 4);
      record.writeUInt32BE(crc32(record.subarray(4), at), 0);
      await table.put(at, record);
    });
    expect((await verify()).text).toContain(why);
    const onDamaged = (): void => undefined;
    const store = await startEventStore({ port: 0, dataDir, insecure: true, onDamaged });
    const client = EventStoreDBClient.connectionString(store.connectionString);
    const error = await failureStatus(collect(client.readStream('s-1')));
    expect([error.code, error.message]).toEqual([status.DATA_LOSS, expect.stringContaining(why)]);
    await client.dispose();
    await store.stop();
  });

  it('ends with exit code 65 and its sentence when a read meets it', async () => {
    await damage(MARK, zeroPage);
    const store = await StoreProcess.start(dataDir);
    let complaint = '';
    store.child.stderr!.on('data', (text: Buffer) => (complaint += text.toString()));
    const client = EventStoreDBClient.connectionString(store.connectionString);
    const error = await failureStatus(collect(client.readAll()));
    expect(error.code).toBe(status.DATA_LOSS);
    await eventually(() => store.child.exitCode !== null || store.child.signalCode !== null);
    expect([store.child.exitCode, store.child.signalCode]).toEqual([65, null]);
    // lmdb has its own word about a zeroed page first.
    const lastLine = complaint.trim().split('\n').at(-1);
    expect(lastLine).toContain(`The event store in ${dataDir} is damaged`);
    await client.dispose();
  });

  it.each([
    ['a changed byte', flip],
    ['a zeroed page', zeroPage],
  ])('at its end by %s is refused at the start', async (_what, treat) => {
    await damage(END_MARK, treat);
    const refused = startEventStore({ port: 0, dataDir, insecure: true });
    await expect(refused).rejects.toBeInstanceOf(StartRefused);
    await expect(refused).rejects.toThrow(`The event store in ${dataDir} is damaged`);
  });
});
