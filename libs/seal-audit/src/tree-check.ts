import { InvalidSeal, openCheckpoint, parseNote, rootOfTile, TILE_WIDTH, verifyNote } from '#seal';
import type { FoundCheckpoint, SealReader, StoredCheckpoint, StoredSeal } from '#sealing';
import type { SealFindings } from './seal-findings.js';
import { checkFollowingTile } from './following-tile.js';
import { LeafSource } from './leaf-source.js';
import { TreeBuilder } from './tree-builder.js';
import type { KnownKeys } from './known-keys.js';

export interface TreeCheckOptions {
  readonly reader: SealReader;
  readonly last: FoundCheckpoint;
  readonly keys: KnownKeys;
  readonly findings: SealFindings;
  /** The size of a tree of which an auditor knows the root. */
  readonly wantedSize?: number | undefined;
}

/**
 * Makes the tree anew out of its leaves, and compares the root of each checkpoint, the tiles above the leaves, and each
 * signature. Memory is flat.
 */
export class TreeCheck {
  readonly #tree = new TreeBuilder((root) => this.#rows[0]?.push(root));
  readonly #leaves: LeafSource;
  /** The roots of the full tiles of each level that are not in a full tile of the next one. */
  readonly #rows: Buffer[][] = [[]];
  readonly #upperTiles: number[] = [];
  #size = 0;
  #rightSize = 0;
  #isWrong = false;
  #note = '';
  #wantedRoot: Buffer | undefined;

  constructor(private readonly options: TreeCheckOptions) {
    this.#leaves = new LeafSource(options.reader, options.last.checkpoint);
  }

  /** @returns the root of the tree of the wanted size. @throws Fault of the store. */
  async run(): Promise<Buffer | undefined> {
    for await (const seal of this.options.reader.list()) await this.#checkSeal(seal);
    const { reader, last, findings } = this.options;
    await checkFollowingTile(reader, last, findings);
    return this.#wantedRoot;
  }

  async #checkSeal(seal: StoredSeal): Promise<void> {
    if (seal.kind === 'cosignature') this.#checkCosignature(seal.cosignature);
    else await this.#checkCheckpoint(seal);
  }

  async #checkCheckpoint({ checkpoint }: FoundCheckpoint): Promise<void> {
    const { size, note } = checkpoint;
    this.#note = note;
    if (size < this.#size) {
      this.#report(size, `has fewer leaves than ${this.#size} before it`);
      return;
    }
    this.#size = size;
    const root = this.#checkSignature(checkpoint);
    const isWhole = await this.#growTo(size);
    const isRight = isWhole && root?.equals(this.#tree.root()) === true;
    if (isRight) this.#rightSize = size;
    else if (root !== undefined && !this.#isWrong) this.#reportRoot(size, isWhole);
    this.#isWrong = !isRight && root !== undefined;
    if (isRight) this.#checkRows(checkpoint);
  }

  /** Proofs are made of them. */
  #checkRows({ size, rows }: StoredCheckpoint): void {
    const isRight = rows.every((row, at) => row.equals(Buffer.concat(this.#rows[at] ?? [])));
    if (!isRight) this.#report(size, 'has partial tiles that are not those of its leaves');
  }

  /** @returns the signed root. */
  #checkSignature({ note, size }: StoredCheckpoint): Buffer | undefined {
    try {
      const opened = openCheckpoint(note, this.options.keys.ofNote(note));
      if (opened.size === size) return opened.root;
      this.#report(size, `has a note of ${opened.size} leaves`);
    } catch (error) {
      if (!(error instanceof InvalidSeal)) throw error;
      this.#report(size, `is not signed by a key that was given: ${error.message}`);
    }
    return undefined;
  }

  #checkCosignature({ size, line }: { readonly size: number; readonly line: string }): void {
    const { keys, findings } = this.options;
    try {
      const note = this.#note + line;
      const [name] = parseNote(note)
        .signatures.slice(-1)
        .map((signature) => signature.name);
      const known = keys.cosigners.filter((key) => key.name === name);
      if (known.length > 0) verifyNote(note, known);
    } catch (error) {
      if (!(error instanceof InvalidSeal)) throw error;
      const text = `A cosignature of the checkpoint of ${size} leaves is wrong: ${error.message}`;
      findings.add({ kind: 'cosignature', text });
    }
  }

  /** @returns whether there are so many leaves. */
  async #growTo(size: number): Promise<boolean> {
    while (this.#tree.size < size) {
      const leaf = this.#leaves.take();
      if (leaf === undefined) {
        if (!(await this.#leaves.fill())) return false;
        continue;
      }
      this.#tree.append(leaf);
      if (this.#tree.size === this.options.wantedSize) this.#wantedRoot = this.#tree.root();
      for (let level = 1; (this.#rows[level - 1]?.length ?? 0) >= TILE_WIDTH; level += 1) {
        await this.#checkUpperTile(level);
      }
    }
    return true;
  }

  async #checkUpperTile(level: number): Promise<void> {
    const made = Buffer.concat(this.#rows[level - 1] ?? []);
    const index = this.#upperTiles[level] ?? 0;
    this.#upperTiles[level] = index + 1;
    this.#rows[level - 1] = [];
    const [stored] = await this.options.reader.readTiles(level, index, 1);
    // A sealer that was killed between two levels writes the upper one at its next start.
    if (stored !== undefined && !stored.hashes.equals(made)) {
      const text = `The tile ${index} of level ${level} is not that of the tiles below it.`;
      this.options.findings.add({ kind: 'tile', text });
    }
    (this.#rows[level] ??= []).push(rootOfTile(made));
  }

  #reportRoot(size: number, isWhole: boolean): void {
    const { findings } = this.options;
    if (!isWhole) {
      const text = `Tiles are missing: the checkpoint of ${size} leaves has more than the ${this.#tree.size} that are stored.`;
      findings.add({ kind: 'tile', text });
      return;
    }
    const [from, to] = [this.#rightSize, size - 1].map((leaf) => Math.floor(leaf / TILE_WIDTH));
    const tiles = from === to ? `the tile ${from}` : `one of the tiles ${from} to ${to}`;
    const text =
      `The leaves ${this.#rightSize} to ${size - 1} are not those that the checkpoint of ${size} leaves attests: ` +
      `${tiles} of level 0, or the checkpoint, was replaced.`;
    findings.add({ kind: 'tile', text, leaf: this.#rightSize });
  }

  #report(size: number, what: string): void {
    const text = `The checkpoint of ${size} leaves ${what}.`;
    this.options.findings.add({ kind: 'checkpoint', text: text.replace('..', '.') });
  }
}
