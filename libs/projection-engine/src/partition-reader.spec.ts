import { describe, expect, it } from '@jest/globals';
import type { Redis } from '#redis';
import { encodeCheckpoint } from './checkpoint.js';
import { openReadModel } from './keys.js';
import { PartitionReader } from './partition-reader.js';

const [keys] = openReadModel('visits.1.abc', { layoutId: 'store-1', partitions: 1 }).partitions;
if (keys === undefined) throw new Error('there is a partition');

/** A Redis with a document in the generation that answers. */
function create() {
  const answering = { epoch: 'e1' };
  const evalsha = async (_: string, count: number, checkpoint: string, documents: string) => {
    expect([count, checkpoint]).toEqual([2, keys?.checkpoint]);
    const { epoch } = answering;
    const isThere = documents === keys?.generation(epoch).documents;
    const stored = encodeCheckpoint({ position: '1', layoutId: 's', epoch });
    return [stored, isThere ? `document of ${epoch}` : null];
  };
  // Of Redis, no more than this is called.
  return { answering, reader: new PartitionReader({ evalsha } as unknown as Redis, keys!) };
}

const readThrice = (reader: PartitionReader) =>
  Promise.all([reader.find('one'), reader.find('one'), reader.find('one')]);

describe('reads that are under way together', () => {
  it('find what is there, though each of them began without knowing which generation answers', async () => {
    const { reader } = create();
    expect(await readThrice(reader)).toEqual(Array(3).fill('document of e1'));
  });

  it('find it also when another generation takes the place of the one that they ask', async () => {
    const { answering, reader } = create();
    await reader.find('one');
    answering.epoch = 'e2';
    expect(await readThrice(reader)).toEqual(Array(3).fill('document of e2'));
  });
});
