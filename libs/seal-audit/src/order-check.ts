import type { Position } from '#domain/event';
import type { SealFindings } from './seal-findings.js';
import { TILE_WIDTH } from '#seal';
import { type LogLeaf, REORDERED_TILES } from '#sealing';

/** A copy of a ledger reorders events within so many leaves. */
export const REORDERED_LEAVES = REORDERED_TILES * TILE_WIDTH;

/**
 * Compares the order of the log with that of the leaves: where the log was sealed, both are the same; where it was
 * copied since, within each stream, and nothing has gone further than a copy takes it.
 */
export class OrderCheck {
  #greatest = -1;
  /** The last leaf of each stream of late, while the log is a copy. */
  readonly #streams = new Map<string, number>();

  constructor(
    private readonly findings: SealFindings,
    private readonly copiedUpTo: Position,
  ) {}

  /** The greatest number of a leaf so far. */
  get greatest(): number {
    return this.#greatest;
  }

  /** Takes the next event that has a leaf. */
  take(event: LogLeaf, index: number): void {
    const isCopy = event.position <= this.copiedUpTo;
    const isRight = isCopy ? this.#isRightInCopy(event, index) : index > this.#greatest;
    if (!isRight) this.#add(event, index);
    this.#greatest = Math.max(this.#greatest, index);
  }

  #isRightInCopy({ stream }: LogLeaf, index: number): boolean {
    const before = this.#streams.get(stream) ?? -1;
    this.#streams.set(stream, Math.max(index, before));
    if (this.#streams.size > 4 * REORDERED_LEAVES) this.#forget();
    return index > before && index + REORDERED_LEAVES > this.#greatest;
  }

  #forget(): void {
    for (const [stream, index] of this.#streams) {
      if (index + REORDERED_LEAVES < this.#greatest) this.#streams.delete(stream);
    }
  }

  #add({ stream, eventId, type }: LogLeaf, leaf: number): void {
    const text =
      `The event ${eventId} (${type}) of ${stream} is leaf ${leaf}, ` +
      `and the log has it behind the event of leaf ${this.#greatest}.`;
    this.findings.add({ kind: 'reordered', text, leaf, stream, eventId });
  }
}
