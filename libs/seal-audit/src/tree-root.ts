import { CompactRange, type ReadHash } from '#seal';

/** The root of the tree of the first leaves, out of its complete subtrees from left to right. */
export async function rootOfSize(size: number, readHash: ReadHash): Promise<Buffer> {
  const hashes: Buffer[] = [];
  let start = 0;
  for (let level = Math.floor(Math.log2(size)); level >= 0; level -= 1) {
    const width = 2 ** level;
    if (Math.floor(size / width) % 2 === 0) continue;
    hashes.push(await readHash(level, start / width));
    start += width;
  }
  return new CompactRange(size, hashes).root();
}
