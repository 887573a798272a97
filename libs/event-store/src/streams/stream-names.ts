import { readBucket } from '#domain/ids';
import { DEFAULT_NAMESPACE, isStreamNamespace } from '#platform';
import { type BucketRange, bucketPattern } from './partitions.js';

/** Streams by parts of their names. */
export interface WantedStreams {
  readonly categories: readonly string[];
  /** In these buckets alone; in all, where none are named. */
  readonly buckets?: readonly BucketRange[] | undefined;
  /** Further categories, which are wanted in all buckets. */
  readonly everywhere?: readonly string[];
}

/** How names of streams are stored. */
export interface StoredNames {
  /** The stored name of a stream, or of a stream's metadata: `$$` and its name. */
  toStored(name: string): string;
  /** The name inside of the ledger; the name itself where it is none of this namespace. */
  fromStored(stored: string): string;
}

/** Names that are stored as they are: of streams in no namespace. */
export const PLAIN_NAMES: StoredNames = {
  toStored: (name) => name,
  fromStored: (stored) => stored,
};

/**
 * Names of streams inside of the ledger, `subscription-sub_...`, and as the store knows them,
 * `sl.subscription-3f.sub_...`: an event store is shared with others, and is read by buckets. Both follow
 * from the other without a look anywhere (decision 0009).
 */
export class StreamNames implements StoredNames {
  readonly #prefix: string;

  constructor(readonly namespace: string = DEFAULT_NAMESPACE) {
    if (!isStreamNamespace(namespace)) throw new RangeError(`${namespace} is no namespace`);
    this.#prefix = `${namespace}.`;
  }

  toStored(name: string): string {
    if (name.startsWith('$$')) return `$$${this.toStored(name.slice(2))}`;
    const dash = name.indexOf('-');
    if (dash === -1) return `${this.#prefix}${name}`;
    const id = name.slice(dash + 1);
    return `${this.#prefix}${name.slice(0, dash)}-${readBucket(id)}.${id}`;
  }

  fromStored(stored: string): string {
    if (!stored.startsWith(this.#prefix)) return stored;
    const start = this.#prefix.length;
    const dash = stored.indexOf('-', start);
    if (dash === -1) return stored.slice(start);
    const behindBucket = dash + BUCKET_AND_DOT;
    return `${stored.slice(start, dash)}-${stored.slice(behindBucket + 1)}`;
  }

  /**
   * The expression that matches the streams of these categories, in the common part of .NET's and JavaScript's. One
   * expression costs a store less than many prefixes (docs/performance.md).
   *
   * @param wanted the categories, in these buckets alone where some are named, and `everywhere` those in
   *   all of them.
   */
  filter({ categories, buckets, everywhere = [] }: WantedStreams): string {
    const some = `${categoryPattern(categories)}${bucketPattern(buckets)}`;
    const streams = everywhere.length === 0 ? some : `(?:${categoryPattern(everywhere)}|${some})`;
    return `^${this.namespace}\\.${streams}`;
  }
}

/** One of these categories, with the dash behind it. */
function categoryPattern(categories: readonly string[]): string {
  return `(?:${[...categories].sort().join('|')})-`;
}

/** `3f.`, behind the dash. */
const BUCKET_AND_DOT = 3;
