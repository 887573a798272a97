import { LRUCache } from 'lru-cache';
import { upTo } from '#platform';
import { LIMITED_STREAMS_KNOWN } from '../../streams/limits.js';
import type { StreamMetadataEvents } from './stream-metadata.js';

/** The rest of a short-lived stream; a limit that is not named is none. */
export interface Lifetime {
  readonly maxAgeSeconds?: number;
  readonly maxCount?: number;
}

/** Says of streams that the store forgets their events after a while (rules/storage 14). */
export class Lifetimes {
  /** Said once by this process, and for good. */
  readonly #known = new LRUCache<string, true>(upTo(LIMITED_STREAMS_KNOWN));

  constructor(private readonly metadata: StreamMetadataEvents) {}

  /**
   * Limits a stream, before or after its first event. Its other metadata stay as they are; a repeated limit writes
   * nothing.
   *
   * @throws Fault.
   */
  async limit(streamName: string, { maxAgeSeconds, maxCount }: Lifetime): Promise<void> {
    if (this.#known.has(streamName)) return;
    const wanted = {
      ...(maxAgeSeconds !== undefined && { $maxAge: maxAgeSeconds }),
      ...(maxCount !== undefined && { $maxCount: maxCount }),
    };
    await this.metadata.change(streamName, (content) => {
      const isSaid = Object.entries(wanted).every(([name, value]) => content[name] === value);
      return isSaid ? undefined : wanted;
    });
    this.#known.set(streamName, true);
  }
}
