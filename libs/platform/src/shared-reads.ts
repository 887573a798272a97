import DataLoader from 'dataloader';

/**
 * Reads that are asked for in one turn of the event loop are made once for each key. A read begins after all of its
 * callers have asked, so that none of them gets an older answer; a read that fails fails its own callers alone.
 */
export class SharedReads<T> {
  readonly #loader: DataLoader<string, T>;

  constructor(private readonly read: (key: string) => Promise<T>) {
    this.#loader = new DataLoader((keys) => this.#readAll(keys), {
      cache: false,
      batchScheduleFn: setImmediate,
    });
  }

  /** @throws the error of the read. */
  load(key: string): Promise<T> {
    return this.#loader.load(key);
  }

  /** Without its cache, the library names a key as often as it was asked for. */
  #readAll(keys: readonly string[]): Promise<(T | Error)[]> {
    const readings = new Map<string, Promise<T | Error>>();
    return Promise.all(
      keys.map((key) => {
        const reading = readings.get(key) ?? this.read(key).catch(toError);
        readings.set(key, reading);
        return reading;
      }),
    );
  }
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** Options of an `LRUCache` that holds so many entries at most. */
export interface UpTo {
  readonly maxSize: number;
  readonly sizeCalculation: () => number;
}

/**
 * Bounds an `LRUCache` to so many entries: `new LRUCache(upTo(10_000))`. By its own `max` it makes room for all of
 * them at once, which takes a start some 4 ms for each 10,000, of a cache that may stay empty.
 */
export function upTo(entries: number): UpTo {
  return { maxSize: entries, sizeCalculation: () => 1 };
}
