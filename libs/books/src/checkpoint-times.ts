import type { Instant } from '#domain/event';
import { SealReader, type StoredSeal } from '#sealing';
import type { AuditedStore } from '#seal-audit';

/** A second party may sign a checkpoint when some more have been made. */
const LATE_SEALS = 64;

/** Tells the moments from which on events are booked: those of the first checkpoints that have their leaves. */
export class CheckpointTimes {
  readonly #reader: SealReader;
  #seals: AsyncIterator<StoredSeal> | undefined;
  #size = 0;
  #at: Instant = '';

  constructor(store: AuditedStore) {
    this.#reader = new SealReader(store);
  }

  /** Whether the moment of a leaf is known without a look into the store. */
  knows(leaf: number): boolean {
    return leaf < this.#size;
  }

  /** The moment of the last leaf that `find` was asked for, and of those behind it that are known. */
  get at(): Instant {
    return this.#at;
  }

  /** Looks for the checkpoint of a leaf: leaves come in their order. @throws Fault. */
  async find(leaf: number): Promise<void> {
    this.#seals ??= this.#reader.list(await this.#findFirst(leaf));
    while (!this.knows(leaf)) {
      const next = await this.#seals.next();
      if (next.done === true) return;
      if (next.value.kind !== 'checkpoint') continue;
      this.#size = next.value.checkpoint.size;
      this.#at = next.value.sealedAt;
    }
  }

  /** A revision behind which lies the first checkpoint of a leaf: two reads halve the seals that are left. */
  async #findFirst(leaf: number): Promise<number> {
    let [low, high] = [0, (await this.#reader.headRevision()) + 1];
    while (high - low > LATE_SEALS) {
      const middle = Math.floor((low + high) / 2);
      const size = await this.#readSize(middle);
      if (size <= leaf) low = middle;
      else high = middle;
    }
    return Math.max(0, low - LATE_SEALS);
  }

  async #readSize(revision: number): Promise<number> {
    for await (const seal of this.#reader.list(revision)) {
      return seal.kind === 'checkpoint' ? seal.checkpoint.size : seal.cosignature.size;
    }
    return Infinity;
  }
}
