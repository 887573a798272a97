import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CompactRange,
  hashLeaf,
  hashNode,
  InvalidSeal,
  proveConsistency,
  proveInclusion,
  type ReadHash,
  verifyConsistency,
  verifyInclusion,
} from './index.js';

/** The tree of the reference implementation of RFC 6962 (certificate-transparency, `merkle_tree_test.cc`). */
const ENTRIES = [
  ...['', '00', '10', '2021', '3031', '40414243'],
  ...['5051525354555657', '606162636465666768696a6b6c6d6e6f'],
].map((hex) => Buffer.from(hex, 'hex'));
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

/** The largest tree here: every proof of every smaller one is made. */
const MOST = 128;
const LEAVES = Array.from({ length: MOST }, (_, index) => hashLeaf(Buffer.from(`entry ${index}`)));
const readHash: ReadHash = (level, index) =>
  naiveRoot(index * 2 ** level, (index + 1) * 2 ** level);

/** RFC 6962, 2.1, word for word: MTH(D[start:end]). */
function naiveRoot(start: number, end: number): Buffer {
  const known = naiveRoots.get(`${start}:${end}`);
  if (known !== undefined) return known;
  const middle = splitAt(start, end);
  const root =
    end - start === 1 ? LEAVES[start]! : hashNode(naiveRoot(start, middle), naiveRoot(middle, end));
  naiveRoots.set(`${start}:${end}`, root);
  return root;
}
const naiveRoots = new Map<string, Buffer>();
/** RFC 6962, 2.1.1: PATH(m, D[start:end]), with m counted from the first leaf of all. */
function naivePath(m: number, start: number, end: number): Buffer[] {
  if (end - start === 1) return [];
  const middle = splitAt(start, end);
  return m < middle
    ? [...naivePath(m, start, middle), naiveRoot(middle, end)]
    : [...naivePath(m, middle, end), naiveRoot(start, middle)];
}
/** RFC 6962, 2.1.2: SUBPROOF(m, D[start:end], b). */
function naiveSubproof(m: number, start: number, end: number, b: boolean): Buffer[] {
  if (m === end) return b ? [] : [naiveRoot(start, end)];
  const middle = splitAt(start, end);
  return m <= middle
    ? [...naiveSubproof(m, start, middle, b), naiveRoot(middle, end)]
    : [...naiveSubproof(m, middle, end, false), naiveRoot(start, middle)];
}
function splitAt(start: number, end: number): number {
  return start + 2 ** Math.ceil(Math.log2(end - start) - 1);
}
const makeTree = (size: number) => ({ size, root: naiveRoot(0, size) });
const show = (hashes: readonly Buffer[]) => Buffer.concat(hashes).toString('hex');

/** Each pair of a smaller number and a size. */
const pairs = Array.from({ length: MOST }, (_, at) => at + 1).flatMap((size) =>
  Array.from({ length: size }, (_, index) => [index, size] as const),
);

describe('a tree', () => {
  it.each(ROOTS.map((root, size) => [size, root] as const))(
    'of %i known leaves has its known root',
    (size, root) => {
      const range = CompactRange.of(ENTRIES.slice(0, size).map(hashLeaf));
      expect(range.root().toString('hex')).toBe(root);
      expect(range.size).toBe(size);
    },
  );

  it('has the root of its definition at any moment, and goes on from what was kept of it', () => {
    let range = new CompactRange();
    for (const [at, leaf] of LEAVES.entries()) {
      range.append(leaf);
      expect(range.root()).toEqual(naiveRoot(0, at + 1));
      expect(range.hashes.length).toBeLessThanOrEqual(Math.log2(at + 1) + 1);
      range = new CompactRange(range.size, range.hashes);
    }
  });

  it('does not go on from hashes of another size', () => {
    expect(() => new CompactRange(3, [LEAVES[0]!])).toThrow(InvalidSeal);
  });
});

describe('an inclusion proof', () => {
  it('is that of RFC 6962 for each leaf of each tree, and is right', async () => {
    const wrong: unknown[] = [];
    for (const [index, size] of pairs) {
      const proof = await proveInclusion(index, size, readHash);
      const isRight = verifyInclusion({ index, hash: LEAVES[index]! }, makeTree(size), proof);
      if (!isRight || show(proof) !== show(naivePath(index, 0, size))) wrong.push([index, size]);
    }
    expect(wrong).toEqual([]);
  });

  it('is of one leaf, place and tree alone', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...pairs),
        fc.nat(),
        fc.nat(7),
        async ([index, size], at, bit) => {
          const proof = await proveInclusion(index, size, readHash);
          const leaf = { index, hash: LEAVES[index]! };
          const tree = makeTree(size);
          const wrong = [
            verifyInclusion({ ...leaf, index: (index + 1) % MOST }, tree, proof) && size > 1,
            verifyInclusion({ ...leaf, hash: hashLeaf(Buffer.of(1)) }, tree, proof),
            verifyInclusion(leaf, { ...tree, root: LEAVES[(index + 1) % MOST]! }, proof),
            verifyInclusion(leaf, tree, [...proof, LEAVES[0]!]),
            ...(proof.length === 0 ? [] : [verifyInclusion(leaf, tree, proof.slice(0, -1))]),
            ...(proof.length === 0 ? [] : [verifyInclusion(leaf, tree, flipBit(proof, at, bit))]),
          ];
          expect(wrong.some(Boolean)).toBe(false);
        },
      ),
    );
  });

  it('is not made or right outside of the tree', async () => {
    await expect(proveInclusion(5, 5, readHash)).rejects.toThrow(InvalidSeal);
    await expect(proveInclusion(-1, 5, readHash)).rejects.toThrow(InvalidSeal);
    const leaf = { index: 1, hash: LEAVES[0]! };
    expect(verifyInclusion(leaf, makeTree(1), [])).toBe(false);
    expect(verifyInclusion({ ...leaf, index: -1 }, makeTree(1), [])).toBe(false);
  });
});

describe('a consistency proof', () => {
  it('is that of RFC 6962 for each two trees, and is right', async () => {
    const wrong: unknown[] = [];
    for (const [before, size] of pairs) {
      const from = before + 1;
      const proof = await proveConsistency(from, size, readHash);
      const isRight = verifyConsistency(makeTree(from), makeTree(size), proof);
      const isTheirs = show(proof) === show(naiveSubproof(from, 0, size, true));
      if (!isRight || !isTheirs) wrong.push([from, size]);
    }
    expect(wrong).toEqual([]);
  });

  it('is of these two trees alone', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...pairs),
        fc.nat(),
        fc.nat(7),
        async ([before, size], at, bit) => {
          const [from, to] = [makeTree(before + 1), makeTree(size)];
          const proof = await proveConsistency(from.size, size, readHash);
          const other = hashLeaf(Buffer.of(1));
          const wrong = [
            verifyConsistency({ ...from, root: other }, to, proof),
            verifyConsistency(from, { ...to, root: other }, proof),
            verifyConsistency(from, to, [...proof, LEAVES[0]!]),
            ...(proof.length === 0 ? [] : [verifyConsistency(from, to, proof.slice(0, -1))]),
            ...(proof.length === 0 ? [] : [verifyConsistency(from, to, flipBit(proof, at, bit))]),
          ];
          expect(wrong.some(Boolean)).toBe(false);
        },
      ),
    );
  });

  it('begins with a tree that has leaves, and never shrinks', async () => {
    await expect(proveConsistency(0, 5, readHash)).rejects.toThrow(InvalidSeal);
    await expect(proveConsistency(6, 5, readHash)).rejects.toThrow(InvalidSeal);
    expect(verifyConsistency({ size: 0, root: naiveRoot(0, 1) }, makeTree(5), [])).toBe(false);
    expect(verifyConsistency(makeTree(6), makeTree(5), [])).toBe(false);
  });
});

function flipBit(proof: readonly Buffer[], at: number, bit: number): Buffer[] {
  const place = at % (proof.length * 32);
  return proof.map((hash, number) => {
    const copy = Buffer.from(hash);
    if (number === Math.floor(place / 32)) copy[place % 32]! ^= 1 << bit;
    return copy;
  });
}
