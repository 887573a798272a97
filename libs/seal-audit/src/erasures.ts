import { type LogLeaf, readLogLeaves } from '#sealing';
import { categoryOf, type Position } from '#domain/event';
import { playerAggregate, type PlayerErased } from '#domain/player';
import type { LeafRun } from './leaf-matcher.js';
import type { AuditedStore } from './audited-store.js';

/** A copy begins an erased player's stream anew and does not tell how many events there were: keys are few. */
const COPIED_ERASURE_LEAVES = 64;

const ERASED: PlayerErased['type'] = 'player.erased.v1';

/** An erasure, by the stream that was cut off before it. */
interface ErasedStream {
  readonly revision: number;
  /** Of the event that erased the player; Infinity while it is not attested. */
  readonly leaf: number;
  readonly isCopied: boolean;
}

/** Leaves without events, since a player was erased. */
export interface ErasedLeaves {
  readonly stream: string;
  readonly leaves: number;
}

/** Knows which leaves may be without events: those of players who were erased (rules/storage 16). */
export class Erasures {
  readonly #streams = new Map<string, ErasedStream>();

  /** Notes an event of the log, and the number of its leaf. */
  note({ stream, type, revision, position }: LogLeaf, leaf = Infinity, copiedUpTo: Position): void {
    if (type !== ERASED || categoryOf(stream) !== playerAggregate.category) return;
    this.#streams.set(stream, { revision, leaf, isCopied: position <= copiedUpTo });
  }

  /**
   * Divides leaves without events into those that erasures account for and the others: each erasure for as many before
   * it as its stream lacks.
   *
   * @throws Fault of the store.
   */
  async judge(
    store: AuditedStore,
    missing: readonly LeafRun[],
  ): Promise<{ erased: ErasedLeaves[]; unexplained: LeafRun[] }> {
    if (missing.length === 0) return { erased: [], unexplained: [] };
    const lacking = await this.#countLacking(store);
    const later = [...this.#streams].sort(([, left], [, right]) =>
      left.leaf < right.leaf ? -1 : 1,
    );
    const open: { stream: string; left: number; leaves: number }[] = [];
    const erased: ErasedLeaves[] = [];
    const unexplained: LeafRun[] = [];
    for (const run of missing.toReversed()) {
      while ((later.at(-1)?.[1].leaf ?? -1) >= run.to) {
        const [stream = ''] = later.pop() ?? [];
        open.push({ stream, left: lacking.get(stream) ?? 0, leaves: 0 });
      }
      let left = run.to - run.from;
      while (left > 0 && open.length > 0) {
        const erasure = open.at(-1);
        if (erasure === undefined) break;
        const taken = Math.min(left, erasure.left);
        left -= taken;
        erasure.left -= taken;
        erasure.leaves += taken;
        if (erasure.left > 0) break;
        open.pop();
        if (erasure.leaves > 0) erased.push(erasure);
      }
      if (left > 0) unexplained.unshift({ from: run.from, to: run.from + left });
    }
    erased.push(...open.filter(({ leaves }) => leaves > 0));
    return { erased: erased.map(({ stream, leaves }) => ({ stream, leaves })), unexplained };
  }

  /** How many events before its erasure the store holds no more, by stream. */
  async #countLacking(store: AuditedStore): Promise<Map<string, number>> {
    const lacking = new Map<string, number>();
    for (const [stream, { revision, isCopied }] of this.#streams) {
      lacking.set(stream, isCopied ? COPIED_ERASURE_LEAVES : revision);
    }
    if (lacking.size === 0) return lacking;
    const pattern = `^${store.names.namespace}\\.${playerAggregate.category}-`;
    for await (const { stream, revision } of readLogLeaves(store, '', pattern)) {
      const erasure = this.#streams.get(stream);
      if (erasure === undefined || erasure.isCopied || revision >= erasure.revision) continue;
      lacking.set(stream, (lacking.get(stream) ?? 0) - 1);
    }
    return lacking;
  }
}
