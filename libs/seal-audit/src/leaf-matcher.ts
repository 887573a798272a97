import type { LeafSource } from './leaf-source.js';

/** So many leaves are looked at for an event, from the last found one on: a hundred megabytes while they wait. */
const LEAVES_AHEAD = 1_000_000;

/** Leaves from a first one up to, and without, an end. */
export interface LeafRun {
  readonly from: number;
  readonly to: number;
}

/**
 * Finds the leaves of events that come in the order of a log. Where log and leaves agree, nothing is remembered; else
 * the leaves whose events did not come, a million ahead of the last found one at most.
 */
export class LeafMatcher {
  readonly #waiting = new Map<string, number>();
  #last = -1;

  constructor(private readonly leaves: LeafSource) {}

  /** The number of the leaf; undefined where there is none, or it was found before. @throws Fault. */
  async find(hash: Buffer): Promise<number | undefined> {
    const known = this.#waiting.size === 0 ? undefined : this.#takeWaiting(hash);
    if (known !== undefined) return this.#found(known);
    while (this.leaves.index <= this.#last + LEAVES_AHEAD) {
      const { index } = this.leaves;
      const leaf = this.leaves.take();
      if (leaf?.equals(hash) === true) return this.#found(index);
      if (leaf !== undefined) this.#waiting.set(toKey(leaf), index);
      else if (!(await this.leaves.fill())) return undefined;
    }
    return undefined;
  }

  /** The leaves whose events did not come, of a tree of so many. */
  listMissing(size: number): LeafRun[] {
    const runs: { from: number; to: number }[] = [];
    for (const index of [...this.#waiting.values()].sort((left, right) => left - right)) {
      const run = runs.at(-1);
      if (run?.to === index) run.to += 1;
      else runs.push({ from: index, to: index + 1 });
    }
    const { index } = this.leaves;
    if (index >= size) return runs;
    const last = runs.at(-1);
    if (last?.to === index) last.to = size;
    else runs.push({ from: index, to: size });
    return runs;
  }

  #takeWaiting(hash: Buffer): number | undefined {
    const key = toKey(hash);
    const index = this.#waiting.get(key);
    if (index !== undefined) this.#waiting.delete(key);
    return index;
  }

  #found(index: number): number {
    this.#last = Math.max(this.#last, index);
    return index;
  }
}

function toKey(hash: Buffer): string {
  return hash.toString('latin1');
}
