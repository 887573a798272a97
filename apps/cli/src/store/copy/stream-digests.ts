import { createHash } from 'node:crypto';
import { isAboutStream, STREAM_ENDED, type VerbatimEvent } from '#event-store';
import { STREAMS_AT_ONCE } from './limits.js';
import { readBucketName } from './copier.js';
import { readMetadata } from './stream-metadata-writer.js';

/** The basis of the comparison of two stores, for each stream. */
export interface StreamDigest {
  readonly count: number;
  /** SHA-256 over id, type, data and metadata of each event after the one before it; of metadata, of the last. */
  readonly hash: string;
  /** In its own store. */
  readonly firstRevision: number;
  readonly isEnded: boolean;
  /** Of metadata: whether they hide the first events of their stream, which the log may still hold. */
  readonly hides?: boolean;
}

/**
 * Digests of streams whose buckets begin at one. As many as memory is meant to hold: where there are more,
 * the last buckets are left out, and looked at in the next round.
 */
export class StreamDigests {
  readonly digests = new Map<string, StreamDigest>();

  /** @param lastBucket the last one that is looked at. */
  constructor(
    readonly firstBucket: number,
    public lastBucket: number,
    private readonly streamsAtOnce = STREAMS_AT_ONCE,
  ) {}

  add(event: VerbatimEvent): void {
    if (!this.#isLookedAt(event)) return;
    this.digests.set(event.streamName, extend(this.digests.get(event.streamName), event));
    while (this.digests.size > this.streamsAtOnce && this.lastBucket > this.firstBucket) {
      this.lastBucket = Math.floor((this.firstBucket + this.lastBucket) / 2);
      for (const streamName of this.digests.keys()) {
        if (!this.#isLookedAt({ streamName })) this.digests.delete(streamName);
      }
    }
  }

  #isLookedAt(event: Pick<VerbatimEvent, 'streamName'>): boolean {
    const bucket = Number.parseInt(readBucketName(event), 16) || 0;
    return bucket >= this.firstBucket && bucket <= this.lastBucket;
  }
}

/** The digest of a stream after one more event. */
export function extend(before: StreamDigest | undefined, event: VerbatimEvent): StreamDigest {
  const { type, revision } = event;
  const isEnded = type === STREAM_ENDED;
  // Events of an ended stream are read no more, and some may be gone.
  if (isEnded || before?.isEnded === true) {
    return { count: 0, hash: '', firstRevision: 0, isEnded: true };
  }
  if (isAboutStream(event.streamName)) {
    return { count: 1, ...digestMetadata(event), firstRevision: 0, isEnded };
  }
  const { count = 0, hash = '', firstRevision = revision } = before ?? {};
  return { count: count + 1, hash: hashNext(hash, event), firstRevision, isEnded };
}

function hashNext(before: string, { id, type, data, metadata }: VerbatimEvent): string {
  const hash = createHash('sha256').update(`${before} ${id} ${type} ${data.length} `);
  return hash.update(data).update(metadata).digest('base64url');
}

/** Without the revision that `$tb` names, which may be another one: reading the stream finds the hidden events. */
function digestMetadata(event: VerbatimEvent): Pick<StreamDigest, 'hash' | 'hides'> {
  const metadata = readMetadata(event);
  if (metadata === undefined) return { hash: hashNext('', event) };
  const { $tb: hiddenBefore, ...others } = metadata;
  const hash = createHash('sha256').update(JSON.stringify(others)).digest('base64url');
  return { hash, hides: hiddenBefore !== undefined };
}
