import { hashNode, sha256 } from './hash.js';
import { assertValid } from './invalid.js';

/**
 * A growing tree, kept as the roots of its complete subtrees from left to right: one for each binary digit 1 of its
 * size, so that the memory of the writer is flat. Sizes here and elsewhere are safe integers: 2^53 leaves do.
 */
export class CompactRange {
  readonly #hashes: Buffer[];

  /** Goes on with a tree whose size and hashes were kept; without them it is empty. */
  constructor(
    private leaves = 0,
    hashes: readonly Buffer[] = [],
  ) {
    const ones = leaves.toString(2).replaceAll('0', '').length;
    assertValid(ones === hashes.length, `A tree of ${leaves} leaves is kept by ${ones} hashes.`);
    this.#hashes = [...hashes];
  }

  /** The tree of leaves whose hashes are at hand. */
  static of(leafHashes: Iterable<Buffer>): CompactRange {
    const range = new CompactRange();
    for (const leafHash of leafHashes) range.append(leafHash);
    return range;
  }

  /** The number of leaves. */
  get size(): number {
    return this.leaves;
  }

  /** The roots of the complete subtrees. */
  get hashes(): readonly Buffer[] {
    return this.#hashes;
  }

  /** Adds a leaf by its hash. */
  append(leafHash: Buffer): void {
    let hash = leafHash;
    for (let left = this.leaves; left % 2 === 1; left = (left - 1) / 2) {
      hash = hashNode(this.#hashes.pop() ?? hash, hash);
    }
    this.#hashes.push(hash);
    this.leaves += 1;
  }

  /** The root of the tree as it is now; that of an empty one is SHA-256 of nothing (RFC 6962, 2.1). */
  root(): Buffer {
    if (this.leaves === 0) return sha256(Buffer.alloc(0));
    return this.#hashes.reduceRight((right, left) => hashNode(left, right));
  }
}
