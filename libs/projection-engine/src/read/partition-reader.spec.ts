import { describe, expect, it } from 'vitest';
import type { Redis } from '#redis';
import { encodeCheckpoint } from '../stored/checkpoint.js';
import { openReadModel } from '../stored/keys.js';
import { PartitionReader } from './partition-reader.js';

const [keys] = openReadModel('visits.1.abc', { layoutId: 'store-1', partitions: 1 }).partitions;
if (keys === undefined) throw new Error('there is a partition');

/** A Redis with a document in the generation that answers. */
function create() {
  const answering = { epoch: 'e1' };
  const asked: string[][] = [];
  const evalsha = async (_: string, count: number, ...texts: string[]) => {
    const [checkpoint, documents, ...ids] = texts;
    asked.push(ids);
    expect([count, checkpoint]).toEqual([2, keys?.checkpoint]);
    const { epoch } = answering;
    const isThere = documents === keys?.generation(epoch).documents;
    const stored = encodeCheckpoint({ position: '1', layoutId: 's', epoch });
    return [stored, ...ids.map((id) => (isThere && id !== 'none' ? `${id} of ${epoch}` : null))];
  };
  // Of Redis, no more than this is called.
  return { answering, asked, reader: new PartitionReader({ evalsha } as unknown as Redis, keys!) };
}

/** So many reads that they are several commands, all under way at once. */
const IDS = Array.from({ length: 250 }, (_, at) => `id ${at}`);
const readAll = (reader: PartitionReader) => Promise.all(IDS.map((id) => reader.find(id)));

describe('reads that are under way together', () => {
  it('find what is there, though each of them began without knowing which generation answers', async () => {
    const { reader } = create();
    expect(await readAll(reader)).toEqual(IDS.map((id) => `${id} of e1`));
  });

  it('find it also when another generation takes the place of the one that they ask', async () => {
    const { answering, reader } = create();
    await reader.find('one');
    answering.epoch = 'e2';
    expect(await readAll(reader)).toEqual(IDS.map((id) => `${id} of e2`));
  });

  it('are one command, and each gets its own document', async () => {
    const { asked, reader } = create();
    await reader.find('one');
    const reads = ['two', 'none', 'three'].map((id) => reader.find(id));
    expect(await Promise.all(reads)).toEqual(['two of e1', null, 'three of e1']);
    expect(asked.slice(-1)).toEqual([['two', 'none', 'three']]);
  });

  it('are several commands where they are many, so that none keeps Redis for long', async () => {
    const { asked, reader } = create();
    await reader.find('one');
    expect(await readAll(reader)).toEqual(IDS.map((id) => `${id} of e1`));
    expect(asked.slice(-3).map(({ length }) => length)).toEqual([100, 100, 50]);
  });
});
