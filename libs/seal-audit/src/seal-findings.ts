/** SealFindings of a kind that are named, and events of a place without leaves: the others are counted. */
export const NAMED = 100;

/** A kind of differences between a ledger and its seals. */
export type SealFindingKind =
  'altered' | 'checkpoint' | 'cosignature' | 'fork' | 'inserted' | 'missing' | 'reordered' | 'tile';

/** A difference, in a sentence. */
export interface SealFinding {
  readonly kind: SealFindingKind;
  readonly text: string;
  /** The number of the leaf, from 0, where it is about one. */
  readonly leaf?: number;
  /** The event, where its store has one. */
  readonly stream?: string;
  readonly eventId?: string;
}

/** Differences: the first of each kind are named, all are counted. */
export class SealFindings {
  readonly #named: SealFinding[] = [];
  readonly #counts = new Map<SealFindingKind, number>();

  add(finding: SealFinding, count = 1): void {
    const before = this.#counts.get(finding.kind) ?? 0;
    this.#counts.set(finding.kind, before + count);
    if (before < NAMED) this.#named.push(finding);
  }

  get named(): readonly SealFinding[] {
    return this.#named;
  }

  /** How many there are, by kind. */
  get counts(): Readonly<Partial<Record<SealFindingKind, number>>> {
    return Object.fromEntries(this.#counts);
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }
}
