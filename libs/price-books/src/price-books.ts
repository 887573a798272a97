import { LRUCache } from 'lru-cache';
import { idOf, type Instant, type Position } from '#domain/event';
import {
  type ConversionRequest,
  currentPriceSheet,
  type PriceSheet,
  priceSheetAggregate,
  type PriceSheetVersion,
  type PricingBasis,
} from '#domain/price-sheet';
import { taxRatesAggregate } from '#domain/pricing';
import {
  type CommandExecutor,
  type EventStore,
  type FeedItem,
  runCatchUp,
  START,
} from '#event-store';
import { Fault, type Log, withTimeLimit } from '#platform';
import { FOLLOWING_LIMIT_MS, KEPT_ANSWER_BYTES, SHELF_ROWS } from './limits.js';
import { type ConversionOutcome, type KeptAnswers, PriceBook, sizeOfAnswer } from './price-book.js';
import { readStoredSheet } from './stored-sheets.js';

/**
 * The prices of all apps as conversions need them, in memory and current: a changed sheet or changed
 * tax rates make a new book, which takes the place of the old one in one step.
 */
export interface PriceBooks {
  /**
   * Converts (rules/prices 7), from memory but for an app's first time.
   *
   * @param bytes the request as it came; `read` makes a request of them where they are new.
   * @throws Fault when prices must be read and the store does not answer; what `read` throws.
   */
  convert(
    appId: string,
    bytes: Buffer,
    read: (bytes: Buffer, at: Instant) => ConversionRequest,
    at: Instant,
  ): Promise<ConversionOutcome>;
  /**
   * The rows of any version, from memory where it is the app's present one.
   *
   * @throws Fault when they must be read and the store does not answer.
   */
  loadSheet(appId: string, version: PriceSheetVersion): Promise<PriceSheet>;
  /**
   * Resolves when the app's book is what the store says now, also where this process did not hear of
   * a change yet (rules/api 15). @throws Fault as `convert` does.
   */
  refresh(appId: string): Promise<void>;
}

interface PriceBooksOptions {
  readonly store: EventStore;
  readonly commands: CommandExecutor;
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** An app without a sheet has an entry, too, so that the store is not asked again and again. */
interface Entry {
  readonly book: PriceBook;
  /** The revisions of the price sheet's and the tax rates' streams that the book shows. */
  readonly revisions: string;
  /** Undefined before the first sheet. */
  readonly stored?: { readonly rowsStream: string; readonly sheet: PriceSheet };
}

/**
 * Follows the store until the signal is aborted, from now on: a book is read whole when it is first
 * asked for. `price_sheet_rows-` is left out by the dash: rows are read when a version needs them.
 *
 * @throws Fault `unavailable` when the store does not answer within a minute.
 */
export async function openPriceBooks(options: PriceBooksOptions): Promise<PriceBooks> {
  const books = new FollowingPriceBooks(options);
  books.position = await options.store.headPosition();
  const caughtUp = new Promise<void>((resolve) => {
    void runCatchUp({
      store: options.store,
      categories: [priceSheetAggregate.category, taxRatesAggregate.category],
      loadCheckpoint: async () => books.position,
      handleBatch: (items, upTo) => books.apply(items, upTo),
      tellsEveryPosition: false,
      onCaughtUp: () => resolve(),
      signal: options.signal,
      log: options.log,
    });
  });
  await withTimeLimit(caughtUp, FOLLOWING_LIMIT_MS, 'the event store, asked for prices,');
  return books;
}

class FollowingPriceBooks implements PriceBooks {
  position: Position = START;
  private readonly shelf = new LRUCache<string, Entry>({
    maxSize: SHELF_ROWS,
    sizeCalculation: ({ stored }) => (stored?.sheet.rowCount ?? 0) + 1,
  });
  /** Books being made; of two for the same app the one begun last is the newer. */
  private readonly making = new Map<string, Promise<Entry>>();
  private readonly answers: KeptAnswers = new LRUCache({
    maxSize: KEPT_ANSWER_BYTES,
    sizeCalculation: sizeOfAnswer,
  });
  /** Numbers the books, so that no answer of an old one is taken for one of the new. */
  private bookCount = 0;

  constructor(private readonly options: PriceBooksOptions) {}

  async convert(
    appId: string,
    bytes: Buffer,
    read: (bytes: Buffer, at: Instant) => ConversionRequest,
    at: Instant,
  ): Promise<ConversionOutcome> {
    const entry = this.shelf.get(appId) ?? (await (this.making.get(appId) ?? this.make(appId)));
    return entry.book.convert(bytes, read, at);
  }

  async loadSheet(appId: string, version: PriceSheetVersion): Promise<PriceSheet> {
    const present = this.shelf.peek(appId)?.stored;
    if (present?.rowsStream === version.rowsStream) return present.sheet;
    return readStoredSheet(this.options.store, version);
  }

  async refresh(appId: string): Promise<void> {
    await this.make(appId);
  }

  /** Makes the books in use anew that these events change, and only then moves on. */
  async apply(items: readonly FeedItem[], upTo: Position): Promise<void> {
    for (const appId of new Set(items.map(({ streamName }) => idOf(streamName)))) {
      if (this.shelf.has(appId) || this.making.has(appId)) await this.renew(appId);
    }
    this.position = upTo;
  }

  /** A change that this release cannot read leaves the book as it is; a store out of reach is asked again. */
  private async renew(appId: string): Promise<void> {
    try {
      await this.make(appId);
    } catch (error) {
      if (error instanceof Fault && error.retryable) throw error;
      this.options.log.error({ err: error, appId }, 'new prices cannot be read; the old ones stay');
    }
  }

  private make(appId: string): Promise<Entry> {
    const made = this.read(appId)
      .then((entry) => {
        if (this.making.get(appId) === made) this.shelf.set(appId, entry);
        return entry;
      })
      .finally(() => {
        if (this.making.get(appId) === made) this.making.delete(appId);
      });
    this.making.set(appId, made);
    return made;
  }

  /** Where nothing was changed the entry stays the same one, with all its kept answers. */
  private async read(appId: string): Promise<Entry> {
    const { commands } = this.options;
    const [history, taxRates] = await Promise.all([
      commands.load(priceSheetAggregate, appId),
      commands.load(taxRatesAggregate, appId),
    ]);
    const revisions = `${history.revision} ${taxRates.revision}`;
    const known = this.shelf.peek(appId);
    if (known?.revisions === revisions) return known;
    const version = currentPriceSheet(history.state);
    if (version === undefined) return { book: this.createBook(undefined), revisions };
    const sheet = await this.loadSheet(appId, version);
    const book = this.createBook({
      sheet,
      sheetVersion: version.version,
      taxRates: taxRates.state,
    });
    return { book, revisions, stored: { rowsStream: version.rowsStream, sheet } };
  }

  private createBook(basis: PricingBasis | undefined): PriceBook {
    this.bookCount += 1;
    return new PriceBook(String(this.bookCount), basis, this.answers);
  }
}
