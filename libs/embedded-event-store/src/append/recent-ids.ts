import { RECENT_EVENT_IDS } from '../limits.js';
import type { StoredAt } from './expected-revision.js';

/**
 * The ids of the last events that were appended, by stream: at least as many as the capacity, and twice as many at
 * most. It makes a retry at `any` idempotent as long as it comes soon; like EventStoreDB's, it does not survive a
 * restart.
 *
 * Each append is remembered, so that the form of this memory decides how much the garbage collector copies: a Map of
 * strings and objects was a tenth of the store's work.
 */
export class RecentIds {
  #newer: IdTable;
  #older: IdTable;

  constructor(capacity = RECENT_EVENT_IDS) {
    this.#newer = new IdTable(capacity);
    this.#older = new IdTable(capacity);
  }

  find(stream: number, id: Buffer): StoredAt | undefined {
    return this.#newer.find(stream, id) ?? this.#older.find(stream, id);
  }

  remember(stream: number, id: Buffer, at: StoredAt): void {
    if (this.#newer.isFull) {
      [this.#newer, this.#older] = [this.#older, this.#newer];
      this.#newer.clear();
    }
    this.#newer.add(stream, id, at);
  }
}

const ID_WORDS = 4;

/** A hash table of numbers alone. Nothing is taken out of it but all at once. */
class IdTable {
  /** By their hash, and the next free place after it: one more than the number of an entry, 0 for a free place. */
  readonly #slots: Uint32Array;
  readonly #ids: Uint32Array;
  readonly #streams: Uint32Array;
  /** Revision and position. */
  readonly #places: Float64Array;
  #size = 0;

  constructor(private readonly capacity: number) {
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(capacity * 2)));
    this.#ids = new Uint32Array(capacity * ID_WORDS);
    this.#streams = new Uint32Array(capacity);
    this.#places = new Float64Array(capacity * 2);
  }

  get isFull(): boolean {
    return this.#size === this.capacity;
  }

  find(stream: number, id: Buffer): StoredAt | undefined {
    const entry = this.#slots[this.#slot(stream, id)] ?? 0;
    if (entry === 0) return undefined;
    const at = (entry - 1) * 2;
    return { revision: this.#places[at] ?? 0, position: this.#places[at + 1] ?? 0 };
  }

  add(stream: number, id: Buffer, { revision, position }: StoredAt): void {
    const slot = this.#slot(stream, id);
    let entry = this.#slots[slot] ?? 0;
    if (entry === 0) {
      this.#size += 1;
      entry = this.#size;
      this.#slots[slot] = entry;
      this.#streams[entry - 1] = stream;
      for (let word = 0; word < ID_WORDS; word += 1) {
        this.#ids[(entry - 1) * ID_WORDS + word] = id.readUInt32LE(word * 4);
      }
    }
    this.#places[(entry - 1) * 2] = revision;
    this.#places[(entry - 1) * 2 + 1] = position;
  }

  clear(): void {
    this.#slots.fill(0);
    this.#size = 0;
  }

  /** Where the entry is, or where it would be. */
  #slot(stream: number, id: Buffer): number {
    const mask = this.#slots.length - 1;
    let slot = hash(stream, id) & mask;
    for (let entry = this.#slots[slot] ?? 0; entry !== 0; entry = this.#slots[slot] ?? 0) {
      if (this.#isEntry(entry - 1, stream, id)) return slot;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #isEntry(entry: number, stream: number, id: Buffer): boolean {
    if (this.#streams[entry] !== stream) return false;
    for (let word = 0; word < ID_WORDS; word += 1) {
      if (this.#ids[entry * ID_WORDS + word] !== id.readUInt32LE(word * 4)) return false;
    }
    return true;
  }
}

function hash(stream: number, id: Buffer): number {
  let mixed = Math.imul(stream, 0x9e3779b1);
  for (let word = 0; word < ID_WORDS; word += 1) {
    mixed = Math.imul(mixed ^ id.readUInt32LE(word * 4), 0x85ebca6b);
    mixed ^= mixed >>> 15;
  }
  return mixed >>> 0;
}
