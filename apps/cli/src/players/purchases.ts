import { checkoutLinkAggregate } from '#domain/checkout-link';
import { categoryOf, idOf, type Position } from '#domain/event';
import { readPlayerBucket } from '#domain/ids';
import { type FeedItem, type LedgerStore, readLog, START } from '#event-store';
import { SENT_CATEGORIES } from '#webhooks';

/**
 * The purchases of a player, and the sources of webhooks about the player: of all but links each event may give some.
 */
const CATEGORIES = [checkoutLinkAggregate.category, ...SENT_CATEGORIES];

/**
 * The streams of a player's purchases, found in the store itself: read models may be behind. All of a player's
 * lies in one bucket, which is 1/256 of the ledger (decision 0009).
 */
export class Purchases {
  readonly #streams = new Set<string>();
  #upTo: Position = START;
  #lastSent: Position = START;

  /** @param player the pseudonym, of the app. @param onProgress is called with how much is read, from 0 to 1. */
  constructor(
    private readonly store: Pick<LedgerStore, 'headPosition' | 'subscribe'>,
    private readonly appId: string,
    private readonly player: string,
    private readonly onProgress: (share: number) => void = () => undefined,
  ) {}

  /** Reads the events since its last call; all there are, the first time. @throws Fault. */
  async readOn(): Promise<void> {
    const { store, onProgress } = this;
    const bucket = Number.parseInt(readPlayerBucket(this.player), 16);
    const buckets = [{ first: bucket, last: bucket }];
    const log = { store, categories: CATEGORIES, buckets, after: this.#upTo, onProgress };
    for await (const { events, upTo } of readLog(log)) {
      for (const event of events) this.#note(event);
      this.#upTo = upTo;
    }
  }

  /** The ids of the player's streams of an aggregate. */
  list({ category }: { readonly category: string }): string[] {
    return [...this.#streams].filter((name) => categoryOf(name) === category).map(idOf);
  }

  has(streamName: string): boolean {
    return this.#streams.has(streamName);
  }

  /** The streams of which events may give webhooks. */
  get sentStreams(): string[] {
    return [...this.#streams].filter((name) => SENT_CATEGORIES.includes(categoryOf(name)));
  }

  get isEmpty(): boolean {
    return this.#streams.size === 0;
  }

  /** The position of the last event that may have given webhooks; `START` for none. */
  get lastSent(): Position {
    return this.#lastSent;
  }

  /** The first event of a purchase names its player, and so do the metadata of most. */
  #note(event: FeedItem): void {
    const { streamName, position } = event;
    if (!this.#streams.has(streamName) && !this.#isOwn(event)) return;
    this.#streams.add(streamName);
    if (SENT_CATEGORIES.includes(categoryOf(streamName))) this.#lastSent = position;
  }

  /**
   * A stream whose first event this program cannot read may be the player's: loading it will say so. Another app's
   * stream is not.
   */
  #isOwn(event: FeedItem): boolean {
    if ('undecodable' in event) return event.revision === 0;
    if (event.metadata.appId !== this.appId) return false;
    const { player } = event.data as { readonly player?: unknown };
    return player === this.player || event.metadata.player === this.player;
  }
}
