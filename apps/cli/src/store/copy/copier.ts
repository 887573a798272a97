import type { Position } from '#domain/event';
import { PARKED_RETRY_CATEGORY, type VerbatimEvent } from '#event-store';
import { forEachConcurrently, groupBy } from '#platform';
import { APP_CATEGORIES } from '#tenancy';
import type { CopyLog } from './copy-log.js';
import type { CopiedStores, CopyWindow } from './copy-windows.js';
import {
  APPEND_BYTES,
  APPEND_EVENTS,
  BUCKETS_AT_ONCE,
  EVENTS_BEHIND_RECORD,
  RECORD_EVERY_EVENTS,
  RECORD_EVERY_MS,
} from './limits.js';
import { StreamWriter } from './stream-writer.js';

/** Workers take these from all buckets, and rely on their order against all others. */
const IN_ORDER_WITH_ALL: ReadonlySet<string> = new Set([...APP_CATEGORIES, PARKED_RETRY_CATEGORY]);

/**
 * Writes windows of events into the target: a window behind the one before it, within it all of a bucket in the
 * source's order, and an app's events behind all that stood before them.
 */
export class Copier {
  readonly #writer: StreamWriter;
  #eventsSeen = 0;
  /** Whether an earlier run may have written the next events, behind its last record. */
  #isResuming = true;
  #eventsSinceRecord = 0;
  #recordedAtMs = performance.now();

  constructor(
    stores: CopiedStores,
    private readonly log: Pick<CopyLog, 'advance'>,
  ) {
    this.#writer = new StreamWriter(stores, () => this.#isResuming);
  }

  /** @throws CliError where the target is no copy of the source; Fault. */
  async write({ events, upTo, isCaughtUp }: CopyWindow): Promise<void> {
    const left = EVENTS_BEHIND_RECORD - this.#eventsSeen;
    const last = events[left - 1];
    if (last === undefined || isCaughtUp) return this.#write(events, upTo, isCaughtUp);
    // Neither more nor less than the record covers: a record is never before earlier writes.
    await this.#write(events.slice(0, left), last.position, true);
    await this.#write(events.slice(left), upTo, false);
  }

  async #write(
    events: readonly VerbatimEvent[],
    upTo: Position,
    isRecorded: boolean,
  ): Promise<void> {
    for (const part of splitInOrder(events)) {
      await forEachConcurrently(groupBy(part, readBucketName), BUCKETS_AT_ONCE, async (group) => {
        for (const { streamName, events: run } of splitRuns(group)) {
          await this.#writer.write(streamName, run);
        }
      });
    }
    this.#eventsSeen += events.length;
    this.#eventsSinceRecord += events.length;
    const isDue =
      this.#eventsSinceRecord >= RECORD_EVERY_EVENTS ||
      performance.now() - this.#recordedAtMs >= RECORD_EVERY_MS;
    if (isRecorded || (isDue && !this.#isResuming)) await this.#record(upTo);
    if (isRecorded) this.#isResuming = false;
  }

  async #record(upTo: Position): Promise<void> {
    await this.log.advance(upTo);
    this.#eventsSinceRecord = 0;
    this.#recordedAtMs = performance.now();
  }
}

/** Parts of which each is written before the next one. */
function splitInOrder(events: readonly VerbatimEvent[]): VerbatimEvent[][] {
  const parts: VerbatimEvent[][] = [];
  let wasInOrder: boolean | undefined;
  for (const event of events) {
    const isInOrder = IN_ORDER_WITH_ALL.has(readCategory(event.streamName));
    if (isInOrder !== wasInOrder || isInOrder) parts.push([]);
    parts.at(-1)?.push(event);
    wasInOrder = isInOrder;
  }
  return parts;
}

interface Run {
  readonly streamName: string;
  readonly events: VerbatimEvent[];
}

/** Events that go into one append: of one stream, one after another; the end of a stream is none. */
function splitRuns(events: readonly VerbatimEvent[]): Run[] {
  const runs: Run[] = [];
  let bytes = 0;
  for (const event of events) {
    const { streamName, revision } = event;
    const run = runs.at(-1);
    const size = event.data.length + event.metadata.length;
    const isNext = run?.streamName === streamName && run.events.at(-1)?.revision === revision - 1;
    if (isNext && run.events.length < APPEND_EVENTS && bytes + size <= APPEND_BYTES) {
      run.events.push(event);
      bytes += size;
    } else {
      runs.push({ streamName, events: [event] });
      bytes = size;
    }
  }
  return runs;
}

/** `subscription` of `sl.subscription-3f.sub_...`. */
function readCategory(streamName: string): string {
  return /^(?:\$\$)?[^.]*\.([^-]*)/.exec(streamName)?.[1] ?? '';
}

/** The key of its order: the bucket; the name itself where it has none. */
export function readBucketName(event: Pick<VerbatimEvent, 'streamName'>): string {
  return /-([0-9a-f]{2})\./.exec(event.streamName)?.[1] ?? event.streamName.replace(/^\$\$/, '');
}
