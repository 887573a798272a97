/** A scavenge takes away cut events, from the disk as well, and nothing else; the store goes on meanwhile. */
import { randomBytes } from 'node:crypto';
import { link, open, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { binaryEvent, type EventStoreDBClient, jsonEvent, START } from '@eventstore/db-client';
import { eventually } from '../../../support/eventually.js';
import { collect, event, events, listRevisions, ofStream, take, uniqueStream } from '../subject.js';
import { RealStore } from './real-store.js';
import { readEnd, startScavenge } from './scavenges.js';

let store: RealStore;
let client: EventStoreDBClient;

beforeAll(async () => {
  store = await RealStore.start();
  ({ client } = store);
});
afterAll(async () => store.remove());

async function restart(): Promise<void> {
  await store.restart();
  ({ client } = store);
}

async function startAgain(): Promise<void> {
  await store.start();
  ({ client } = store);
}

async function scavenge(): Promise<Record<string, unknown>> {
  const { id } = await startScavenge(store);
  return readEnd(client, id);
}

/** Words that no packing shortens. */
const word = () => randomBytes(24).toString('hex');

async function isOnDisk(text: string): Promise<boolean> {
  const files = await readdir(store.dataDir);
  const all = await Promise.all(files.filter((name) => name !== 'access').map(read));
  return all.some((bytes) => bytes.includes(text));
}

async function read(name: string): Promise<Buffer> {
  return readFile(path.join(store.dataDir, name)).catch(() => Buffer.alloc(0));
}

/** The numbers of the events of a stream that $all answers with. */
async function listInAll(stream: string): Promise<number[]> {
  const all = await collect(client.readAll({ fromPosition: START }));
  return listRevisions(ofStream(all, stream));
}

describe('a scavenge', () => {
  it('takes away what was cut off before a revision, from $all and from the disk, and keeps the rest', async () => {
    const stream = uniqueStream();
    const [cut, kept] = [word(), word()];
    await client.appendToStream(stream, [event({ cut }), event({ n: 1 }), event({ kept })]);
    await client.setStreamMetadata(stream, { truncateBefore: 2 });
    const before = await collect(client.readStream(stream));
    expect(await listInAll(stream)).toEqual([0, 1, 2]);
    expect(await isOnDisk(cut)).toBe(true);

    expect(await scavenge()).toMatchObject({ result: 'Success', eventsScavenged: 2 });
    expect(await isOnDisk(cut)).toBe(false);
    expect(await isOnDisk(kept)).toBe(true);
    expect(await listInAll(stream)).toEqual([2]);
    expect(await collect(client.readStream(stream))).toEqual(before);
  });

  it.each([
    ['count', { maxCount: 2 }, [3, 4]],
    ['revision beyond the last one', { truncateBefore: 99 }, [4]],
  ])('keeps the last event of a stream that is cut by %s', async (_, metadata, left) => {
    const stream = uniqueStream();
    await client.appendToStream(stream, events(5));
    await client.setStreamMetadata(stream, metadata);
    await scavenge();
    expect(await listInAll(stream)).toEqual(left);
  });

  it('keeps the last event of a deleted stream, the tombstone of an ended one, and their metadata', async () => {
    const [deleted, ended] = [uniqueStream(), uniqueStream()];
    for (const stream of [deleted, ended]) await client.appendToStream(stream, events(3));
    await client.deleteStream(deleted);
    await client.tombstoneStream(ended);
    await scavenge();
    expect(await listInAll(deleted)).toEqual([2]);
    const all = await collect(client.readAll());
    expect(ofStream(all, ended).map(({ event: left }) => left?.type)).toEqual(['$streamDeleted']);
    expect(ofStream(all, `$$${deleted}`)).toHaveLength(1);
    await client.appendToStream(deleted, events(1), { expectedRevision: 2n });
    expect(listRevisions(await collect(client.readStream(deleted)))).toEqual([3]);
  });

  it('takes away earlier metadata of a stream', async () => {
    const stream = uniqueStream();
    const old = word();
    await client.appendToStream(stream, events(1));
    await client.setStreamMetadata(stream, { old });
    await client.setStreamMetadata(stream, { new: 1 });
    await scavenge();
    expect(await isOnDisk(old)).toBe(false);
    expect((await client.getStreamMetadata(stream)).metadata).toEqual({ new: 1 });
  });

  it('leaves a whole store, which goes on at the next position, also after a restart', async () => {
    const stream = uniqueStream();
    await client.appendToStream(stream, events(600));
    await client.setStreamMetadata(stream, { truncateBefore: 300 });
    await scavenge();
    const kept = await collect(client.readAll());
    const { position } = await client.appendToStream(stream, events(1), { expectedRevision: 599n });
    expect(position!.commit > kept.at(-1)!.event!.position.commit).toBe(true);
    await restart();
    expect((await collect(client.readAll())).slice(0, kept.length)).toEqual(kept);
  });

  it('shows nothing of what was taken away to those who lower the cut afterwards', async () => {
    const stream = uniqueStream();
    await client.appendToStream(stream, events(4));
    await client.setStreamMetadata(stream, { truncateBefore: 3 });
    await scavenge();
    await client.setStreamMetadata(stream, { truncateBefore: 0 });
    expect(listRevisions(await collect(client.readStream(stream)))).toEqual([3]);
    const followed = await take(client.subscribeToStream(stream, { fromRevision: START }), 1);
    expect(listRevisions(followed)).toEqual([3]);
    const links = `${stream}-links`;
    const target = Buffer.from(`1@${stream}`);
    await client.appendToStream(links, binaryEvent({ type: '$>', data: target }));
    const [resolved] = await collect(client.readStream(links, { resolveLinkTos: true }));
    expect([resolved?.link?.streamId, resolved?.event]).toEqual([links, undefined]);
  });

  it('knows an append again whose event it took away', async () => {
    const stream = uniqueStream();
    const [first, ...more] = events(3);
    await client.appendToStream(stream, first!, { expectedRevision: 'no_stream' });
    await client.appendToStream(stream, more, { expectedRevision: 0n });
    await client.setStreamMetadata(stream, { truncateBefore: 2 });
    await scavenge();
    await restart();
    const again = await client.appendToStream(stream, first!, { expectedRevision: 'no_stream' });
    expect(again).toMatchObject({ success: true, nextExpectedRevision: 0n });
  });

  it('runs once at a time, and says in streams of its own how it began and ended', async () => {
    await client.appendToStream(uniqueStream(), events(2_000));
    const [first, second] = await Promise.all([startScavenge(store), startScavenge(store)]);
    expect(second.id).toBe(first.id);
    expect([first.isNew, second.isNew].sort()).toEqual([false, true]);
    await readEnd(client, first.id);
    const own = `$scavenges-${first.id}`;
    const listOwn = async () => {
      const all = await collect(client.readStream('$scavenges', { resolveLinkTos: true }));
      return all.flatMap(({ event: said }) => (said?.streamId === own ? [said.type] : []));
    };
    await eventually(async () => (await listOwn()).length === 2, { what: 'what is said of it' });
    expect(await listOwn()).toEqual(['$scavengeStarted', '$scavengeCompleted']);
  });

  it('loses nothing that is written or followed meanwhile', async () => {
    const stream = uniqueStream();
    await client.appendToStream(stream, events(4_000));
    await client.setStreamMetadata(stream, { truncateBefore: 3_000 });
    const writing = uniqueStream('writing');
    const followed = client.subscribeToAll({ fromPosition: 'end' });
    const received: unknown[] = [];
    followed.on('data', ({ event: seen }) => {
      if (seen?.streamId === writing) received.push((seen.data as { n: number }).n);
    });
    let isOver = false;
    let written = 0;
    const write = async () => {
      for (; !isOver; written += 1) {
        await client.appendToStream(writing, event({ n: written }), {
          expectedRevision: written === 0 ? 'no_stream' : BigInt(written - 1),
        });
      }
    };
    const load = write();
    expect(await scavenge()).toMatchObject({ result: 'Success' });
    isOver = true;
    await load;
    expect(written).toBeGreaterThan(10);
    const expected = Array.from({ length: written }, (_, n) => n);
    const found = await collect(client.readStream<{ type: 'x'; data: { n: number } }>(writing));
    expect(found.map((resolved) => resolved.event?.data.n)).toEqual(expected);
    await eventually(() => received.length === written, { what: 'all that was followed' });
    expect(received).toEqual(expected);
    await followed.unsubscribe();
  });

  it.each(['events.mdb.scavenging', 'events.mdb.scavenged'])(
    'overwrites %s at the next start, which it left where it was killed',
    async (name) => {
      await store.stop();
      const file = path.join(store.dataDir, name);
      await writeFile(file, 'what was cut');
      const left = await open(file);
      await startAgain();
      expect(await readdir(store.dataDir)).not.toContain(name);
      expect([...(await left.readFile())]).toEqual(Array(12).fill(0));
      await left.close();
    },
  );

  it('takes another name of the store for nothing that is left', async () => {
    const stream = uniqueStream();
    await client.appendToStream(stream, events(2));
    await store.stop();
    const file = path.join(store.dataDir, 'events.mdb');
    await link(file, `${file}.scavenged`);
    await startAgain();
    expect(listRevisions(await collect(client.readStream(stream)))).toEqual([0, 1]);
    expect(await readdir(store.dataDir)).not.toContain('events.mdb.scavenged');
  });

  it('is said to be interrupted by the next start, and begins anew for those who waited for its end', async () => {
    const started = jsonEvent({ type: '$scavengeStarted', data: { scavengeId: 'killed' } });
    await client.appendToStream('$scavenges-killed', started);
    const ofStarted = binaryEvent({ type: '$>', data: Buffer.from('0@$scavenges-killed') });
    await client.appendToStream('$scavenges', ofStarted);
    await restart();
    expect(await readEnd(client, 'killed')).toMatchObject({ result: 'Interrupted' });
    for (let n = 0; n < 4; n += 1) {
      const { id, isNew } = await startScavenge(store);
      expect(isNew).toBe(true);
      await readEnd(client, id);
    }
  });

  it('overwrites the file of before, which others may hold open', async () => {
    const stream = uniqueStream();
    const cut = word();
    await client.appendToStream(stream, [event({ cut }), event({ n: 1 })]);
    await client.setStreamMetadata(stream, { truncateBefore: 1 });
    const before = await open(path.join(store.dataDir, 'events.mdb'));
    await scavenge();
    const bytes = await before.readFile();
    await before.close();
    expect(bytes.every((byte) => byte === 0)).toBe(true);
  });
});
