import type { Position } from '#domain/event';
import {
  type CommandExecutor,
  createCommandExecutor,
  type FeedItem,
  type LedgerStore,
  readLog,
  START,
} from '#event-store';
import { Fault, forEachConcurrently, type Seal, sealingKeyId } from '#platform';
import {
  beginsSealedStream,
  loadSealedStream,
  resealStream,
  SEALED_CATEGORIES,
  type SealedStream,
} from '#tenancy';

/** The store groups appends in flight, and an app's own programs go on beside. */
const STREAMS_AT_ONCE = 16;
/** Apps whose endpoints come near each other are loaded once for all of them. */
const CACHED_STREAMS = 1000;
/** Streams that a report names; it counts all. */
const STREAMS_NAMED = 100;

/** The secrets that were found, or sealed anew. */
export interface SealedCount {
  /** Streams that hold secrets now. */
  streams: number;
  /** Secrets by the id of the master key that they are under. */
  readonly secrets: Map<string, number>;
  /** Secrets that were sealed anew. */
  resealed: number;
  /** Streams with a secret that none of the keys opens: how many, and the first of them. */
  unopenable: number;
  readonly unopenableStreams: string[];
}

interface Walk {
  readonly store: LedgerStore;
  readonly seal: Seal;
  readonly after: Position;
  readonly isDryRun: boolean;
  readonly onProgress?: (share: number) => void;
}

/**
 * Looks at all streams with secrets that have an event after a position, and seals those anew that are not under the
 * present master key. Secrets under the present key are passed over, so that a run which was killed is begun again.
 *
 * @throws Fault `unavailable`.
 */
export async function walkSealedStreams(
  walk: Walk,
): Promise<{ readonly count: SealedCount; readonly upTo: Position }> {
  const commands = createCommandExecutor(walk.store, { cacheSize: CACHED_STREAMS });
  const counting = new Counting(walk, commands);
  // Read from the first event on, each stream is visited and counted once.
  const isWanted = (event: FeedItem) => walk.after !== START || beginsSealedStream(event);
  let reached = walk.after;
  for await (const { events, upTo } of readLog({ ...walk, categories: SEALED_CATEGORIES })) {
    const streams = new Map(events.filter(isWanted).map((event) => [event.streamName, event]));
    const last = [...streams.values()];
    await forEachConcurrently(last, STREAMS_AT_ONCE, (event) => counting.visit(event));
    reached = upTo;
  }
  return { count: counting.count, upTo: reached };
}

class Counting {
  readonly count: SealedCount = {
    ...{ streams: 0, secrets: new Map(), resealed: 0, unopenable: 0, unopenableStreams: [] },
  };
  constructor(
    private readonly walk: Walk,
    private readonly commands: CommandExecutor,
  ) {}

  async visit(event: FeedItem): Promise<void> {
    const found = await loadSealedStream(this.commands, event);
    if (found === undefined) return;
    this.count.streams += 1;
    const isChanged = !this.walk.isDryRun && (await this.#reseal(found));
    const stream = isChanged ? await loadSealedStream(this.commands, event) : found;
    for (const { sealed } of stream?.secrets ?? []) this.#add(sealingKeyId(sealed));
  }

  async #reseal(stream: SealedStream): Promise<boolean> {
    try {
      const resealed = await resealStream(this.commands, this.walk.seal, stream);
      this.count.resealed += resealed;
      return resealed > 0;
    } catch (error) {
      // One app's damage is no reason to leave all others under a key that has to go.
      if (!(error instanceof Fault) || error.code !== 'undecodable') throw error;
      this.count.unopenable += 1;
      const { unopenableStreams } = this.count;
      if (unopenableStreams.length < STREAMS_NAMED) unopenableStreams.push(stream.streamName);
      return false;
    }
  }

  #add(keyId: string): void {
    this.count.secrets.set(keyId, (this.count.secrets.get(keyId) ?? 0) + 1);
  }
}
