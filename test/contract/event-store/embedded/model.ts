/**
 * A model of an event store, as plain as possible and without a look at ours: arrays in memory. The model-based test
 * runs both and compares.
 */
export type Expected = 'any' | 'no_stream' | 'stream_exists' | number;

export interface ModelEvent {
  readonly stream: string;
  readonly revision: number | 'tombstone';
  readonly id: string;
}

export interface ModelMetadata {
  readonly maxCount?: number;
  readonly truncateBefore?: number | 'all';
}

export type ModelOutcome =
  | { readonly kind: 'appended'; readonly revision: number }
  | { readonly kind: 'wrong-version' }
  | { readonly kind: 'stream-deleted' };

const WRONG: ModelOutcome = { kind: 'wrong-version' };
const DELETED: ModelOutcome = { kind: 'stream-deleted' };

export class EventStoreModel {
  /** $all; the ids of events that the server made are not known and left empty. */
  log: ModelEvent[] = [];
  readonly #metadata = new Map<string, ModelMetadata>();
  /** Ids appended since the last start, by stream: they make a retry at `any` idempotent. */
  #recent = new Set<string>();

  append(stream: string, expected: Expected, ids: readonly string[]): ModelOutcome {
    const verdict = this.#judge(stream, expected, ids);
    if (verdict !== 'write') return verdict;
    const first = this.#last(stream) + 1;
    ids.forEach((id, offset) => {
      this.log.push({ stream, revision: first + offset, id });
      this.#recent.add(`${stream} ${id}`);
    });
    if (ids.length > 0 && this.isSoftDeleted(stream)) {
      this.#write(stream, { truncateBefore: first });
    }
    return { kind: 'appended', revision: first + ids.length - 1 };
  }

  softDelete(stream: string, expected: Expected): ModelOutcome {
    const verdict = this.#judge(stream, expected, []);
    if (verdict !== 'write') return verdict;
    if (this.#last(stream) < 0 && !this.#metadata.has(stream)) return WRONG;
    this.#write(stream, { truncateBefore: 'all' });
    return { kind: 'appended', revision: 0 };
  }

  tombstone(stream: string, expected: Expected): ModelOutcome {
    const verdict = this.#judge(stream, expected, []);
    if (verdict !== 'write') return verdict;
    this.log.push({ stream, revision: 'tombstone', id: '' });
    return { kind: 'appended', revision: 0 };
  }

  setMetadata(stream: string, metadata: ModelMetadata): ModelOutcome {
    if (this.#isTombstoned(stream)) return DELETED;
    const revives = this.isSoftDeleted(stream);
    this.#write(stream, metadata);
    if (revives) this.#write(stream, { ...metadata, truncateBefore: this.#last(stream) + 1 });
    return { kind: 'appended', revision: 0 };
  }

  /** Revisions that a reader of the stream sees, forwards. */
  read(stream: string): number[] | 'not-found' | 'deleted' {
    if (this.#isTombstoned(stream)) return 'deleted';
    const last = this.#last(stream);
    if (last < 0 || this.isSoftDeleted(stream)) return 'not-found';
    const { maxCount = Infinity, truncateBefore = 0 } = this.#metadata.get(stream) ?? {};
    const first = Math.max(Number(truncateBefore), last - maxCount + 1);
    return this.#streamEvents(stream).filter((revision) => revision >= first);
  }

  restart(): void {
    this.#recent = new Set();
  }

  isSoftDeleted(stream: string): boolean {
    return this.#metadata.get(stream)?.truncateBefore === 'all';
  }

  #judge(stream: string, expected: Expected, ids: readonly string[]): ModelOutcome | 'write' {
    const last = this.#last(stream);
    if (this.#isTombstoned(stream)) return DELETED;
    if (expected === 'stream_exists') {
      if (this.isSoftDeleted(stream)) return DELETED;
      if (last < 0 && !this.#metadata.has(stream)) return WRONG;
    }
    if (expected === 'any' || expected === 'stream_exists') return this.#judgeByRecent(stream, ids);
    const at = expected === 'no_stream' ? -1 : expected;
    if (at === last) return 'write';
    return at > last ? WRONG : this.#judgeByStored(stream, at, ids);
  }

  #judgeByRecent(stream: string, ids: readonly string[]): ModelOutcome | 'write' {
    const known = ids.map((id) => this.#recent.has(`${stream} ${id}`));
    if (known[0] !== true) return 'write';
    if (!known.every(Boolean)) return WRONG;
    return { kind: 'appended', revision: this.#findRevision(stream, ids.at(-1)!) };
  }

  #judgeByStored(stream: string, at: number, ids: readonly string[]): ModelOutcome | 'write' {
    if (ids.length === 0) return WRONG;
    const matches = ids.map((id, offset) => this.#idAt(stream, at + 1 + offset) === id);
    if (matches.every(Boolean)) return { kind: 'appended', revision: at + ids.length };
    const recreates = !matches[0] && at === -1 && this.isSoftDeleted(stream);
    return recreates ? 'write' : WRONG;
  }

  #write(stream: string, metadata: ModelMetadata): void {
    const metastream = `$$${stream}`;
    this.log.push({ stream: metastream, revision: this.#last(metastream) + 1, id: '' });
    this.#metadata.set(stream, metadata);
  }

  #streamEvents(stream: string): number[] {
    return this.log
      .filter((event) => event.stream === stream && event.revision !== 'tombstone')
      .map((event) => Number(event.revision));
  }

  #last(stream: string): number {
    return this.#streamEvents(stream).length - 1;
  }

  #isTombstoned(stream: string): boolean {
    return this.log.some((event) => event.stream === stream && event.revision === 'tombstone');
  }

  #idAt(stream: string, revision: number): string | undefined {
    return this.log.find((event) => event.stream === stream && event.revision === revision)?.id;
  }

  /** Of several events with one id, the one that was appended last. */
  #findRevision(stream: string, id: string): number {
    const found = this.log.filter((event) => event.stream === stream && event.id === id).at(-1);
    return Number(found?.revision);
  }
}
