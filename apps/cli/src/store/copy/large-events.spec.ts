import { beforeEach, describe, expect, it } from 'vitest';
import { CopiedMemoryStore, copyAll } from './spec-support/copied-memory-store.js';

let source: CopiedMemoryStore;
let target: CopiedMemoryStore;
beforeEach(() => {
  source = new CopiedMemoryStore();
  target = new CopiedMemoryStore();
});

const copy = () => copyAll(source, target);

describe('a source whose store takes more at once', () => {
  const large = (kib: number) => ({ text: 'x'.repeat(kib * 1_024) });

  // A store may have taken all of them in one append: KurrentDB 26.1 takes 256 MB.
  it('is written in appends of half a megabyte', async () => {
    for (let n = 0; n < 8; n += 1) source.add('sl.counter-00.a', 'large.v1', large(200));
    target.appendBytes = 1_048_576;
    await copy();
    expect(target.ids('sl.counter-00.a')).toEqual(source.ids('sl.counter-00.a'));
    expect(target.appends).toEqual([2, 2, 2, 2, 1]);
  });

  it('is divided further for a target that takes less', async () => {
    for (let n = 0; n < 4; n += 1) source.add('sl.counter-00.a', 'large.v1', large(100));
    target.appendBytes = 150 * 1_024;
    await copy();
    expect(target.ids('sl.counter-00.a')).toEqual(source.ids('sl.counter-00.a'));
    expect(target.appends).toEqual([1, 1, 1, 1, 1]);
  });

  it.each(['sl.counter-00.a', '$$sl.counter-00.a'])(
    'ends at an event of %s that the target takes in no append',
    async (name) => {
      source.add(name, 'small.v1', { n: 0 });
      source.add(name, 'large.v1', large(2_000));
      target.appendBytes = 1_048_576;
      await expect(copy()).rejects.toThrow(
        `The target takes no event as large as revision 1 of ${name} (2048013 bytes): nothing was`,
      );
      expect(target.read(name)).toHaveLength(1);
      target.appendBytes = Infinity;
      await copy();
      expect(target.ids(name)).toEqual(source.ids(name));
    },
  );
});
