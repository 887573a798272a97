import type { LogLeaf } from '#sealing';
import type { Position } from '#domain/event';
import type { LeafMatcher } from './leaf-matcher.js';
import { OrderCheck } from './order-check.js';
import { NAMED, type SealFindings } from './seal-findings.js';

/** Events without a leaf between two that have one. */
export interface Unmatched {
  count: number;
  readonly first: LogLeaf[];
}

/** Goes over the events of a log: each has its leaf, in the order in which they were sealed. */
export class EventPass {
  /** By the greatest number of a leaf before them. */
  readonly unmatched = new Map<number, Unmatched>();
  readonly #order: OrderCheck;
  #events = 0;

  /**
   * @param copiedUpTo the position up to which the log was copied from another store, which may have reordered it.
   */
  constructor(
    private readonly matcher: LeafMatcher,
    findings: SealFindings,
    copiedUpTo: Position,
  ) {
    this.#order = new OrderCheck(findings, copiedUpTo);
  }

  /** How many events there are. */
  get events(): number {
    return this.#events;
  }

  /** The greatest number of a leaf whose event came; -1 where none did. */
  get lastLeaf(): number {
    return this.#order.greatest;
  }

  /** Takes the next event. @returns the number of its leaf; undefined where it has none. @throws Fault. */
  async take(event: LogLeaf): Promise<number | undefined> {
    this.#events += 1;
    const index = await this.matcher.find(event.hash);
    if (index === undefined) this.#keep(event);
    else this.#order.take(event, index);
    return index;
  }

  #keep(event: LogLeaf): void {
    const place = this.lastLeaf;
    const unmatched = this.unmatched.get(place) ?? { count: 0, first: [] };
    unmatched.count += 1;
    if (unmatched.first.length < NAMED) unmatched.first.push(event);
    this.unmatched.set(place, unmatched);
  }
}
