import { hashNode } from './hash.js';
import { assertValid } from './invalid.js';

/** Reads the root of the complete subtree of 2^level leaves that begins with leaf `index` * 2^level. */
export type ReadHash = (level: number, index: number) => Buffer | Promise<Buffer>;
/** A tree, by the number of its leaves and its root. */
export interface TreeRoot {
  readonly size: number;
  readonly root: Buffer;
}
/** Leaves from a first one up to, and without, an end. */
type Leaves = readonly [start: number, end: number];

const NO_HASH = Buffer.alloc(0);

/** The proof that a tree has a certain leaf (RFC 6962, 2.1.1), from the leaf's sibling upwards. */
export async function proveInclusion(index: number, size: number, readHash: ReadHash) {
  assertValid(index >= 0 && index < size, `A tree of ${size} leaves has none of number ${index}.`);
  return Promise.all(siblingsOfLeaf(index, 0, size).map((leaves) => readRoot(leaves, readHash)));
}

/** The proof that a tree of `size` leaves begins with that of `from` leaves (RFC 6962, 2.1.2). */
export async function proveConsistency(from: number, size: number, readHash: ReadHash) {
  assertValid(from > 0 && from <= size, `No tree of ${size} leaves grew from one of ${from}.`);
  const siblings = siblingsOfTree(from, 0, size, true);
  return Promise.all(siblings.map((leaves) => readRoot(leaves, readHash)));
}

/** Whether a leaf, by its number and hash, is in a tree, by its size and root. */
export function verifyInclusion(
  leaf: { readonly index: number; readonly hash: Buffer },
  { size, root }: TreeRoot,
  proof: readonly Buffer[],
): boolean {
  if (!(leaf.index >= 0 && leaf.index < size)) return false;
  const siblings = siblingsOfLeaf(leaf.index, 0, size);
  let { hash } = leaf;
  for (const [at, [start]] of siblings.entries()) {
    const sibling = proof[at] ?? NO_HASH;
    hash = start > leaf.index ? hashNode(hash, sibling) : hashNode(sibling, hash);
  }
  return proof.length === siblings.length && hash.equals(root);
}

/** Whether the second tree begins with all leaves of the first one, in their order. */
export function verifyConsistency(from: TreeRoot, to: TreeRoot, proof: readonly Buffer[]): boolean {
  if (!(from.size > 0 && from.size <= to.size)) return false;
  const siblings = siblingsOfTree(from.size, 0, to.size, true);
  let [first, last] = [from.root, from.root];
  for (const [at, [start, end]] of siblings.entries()) {
    const sibling = proof[at] ?? NO_HASH;
    if (end === from.size) [first, last] = [sibling, sibling];
    else if (start >= from.size) last = hashNode(last, sibling);
    else [first, last] = [hashNode(sibling, first), hashNode(sibling, last)];
  }
  return proof.length === siblings.length && first.equals(from.root) && last.equals(to.root);
}

function siblingsOfLeaf(index: number, start: number, end: number): Leaves[] {
  if (end - start === 1) return [];
  const middle = start + leftSize(end - start);
  return index < middle
    ? [...siblingsOfLeaf(index, start, middle), [middle, end]]
    : [...siblingsOfLeaf(index, middle, end), [start, middle]];
}

/** A first tree that is complete stands in the second one as it is: its root is known, and in no proof. */
function siblingsOfTree(from: number, start: number, end: number, isKnown: boolean): Leaves[] {
  if (from === end) return isKnown ? [] : [[start, end]];
  const middle = start + leftSize(end - start);
  return from <= middle
    ? [...siblingsOfTree(from, start, middle, isKnown), [middle, end]]
    : [...siblingsOfTree(from, middle, end, false), [start, middle]];
}

/** The greatest power of two below a number. */
function leftSize(size: number): number {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}

async function readRoot([start, end]: Leaves, readHash: ReadHash): Promise<Buffer> {
  const size = end - start;
  const middle = start + leftSize(size);
  const isComplete = size === 1 || middle * 2 === start + end;
  if (isComplete) return readHash(Math.log2(size), start / size);
  const halves: Leaves[] = [
    [start, middle],
    [middle, end],
  ];
  const [left, right] = await Promise.all(halves.map((half) => readRoot(half, readHash)));
  return hashNode(left ?? NO_HASH, right ?? NO_HASH);
}
