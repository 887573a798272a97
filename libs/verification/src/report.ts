import type { FieldDifference } from './compare.js';

/**
 * `document`: a field has another value; `list entry`: an entry is missing, has another score or should not be there;
 * `missing`: there are events and no document; `unexpected`: there is a document and no events.
 */
export type ReadModelDifferenceKind = 'document' | 'list entry' | 'missing' | 'unexpected';

/** A place at which a read model is not as the domain makes it, with both versions as canonical JSON. */
export interface ReadModelDifference extends FieldDifference {
  readonly kind: ReadModelDifferenceKind;
  readonly id: string;
  /** Empty where streams meet in the document. */
  readonly streamName: string;
  readonly partition: number;
  /** Of the document; -1 where there is none. */
  readonly revision: number;
}

export interface VerificationReport {
  /** How many documents were compared, those that are missing among them. */
  readonly checked: number;
  /** The first of them, in the order in which they were found. */
  readonly differences: readonly ReadModelDifference[];
  /** How many differences there are in all. */
  readonly total: number;
  /** Documents that changed again and again while they were compared: nothing is said of them. */
  readonly uncompared: number;
  /** Streams that are parked: their documents were compared at the revision before the parked event. */
  readonly parked: number;
}

/** A ledger with a mistake in every document must not fill the memory of the process that verifies it. */
const MOST_KEPT = 1_000;

/** Collects a report. */
export class Findings {
  checked = 0;
  uncompared = 0;
  parked = 0;
  #total = 0;
  readonly #kept: ReadModelDifference[] = [];

  add(difference: ReadModelDifference): void {
    this.#total += 1;
    if (this.#kept.length < MOST_KEPT) this.#kept.push(difference);
  }

  report(): VerificationReport {
    const { checked, uncompared, parked } = this;
    return { checked, differences: this.#kept, total: this.#total, uncompared, parked };
  }
}
