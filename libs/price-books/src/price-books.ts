import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { categoryOf, idOf, type Instant } from '#domain/event';
import {
  type ConversionRequest,
  currentPriceSheet,
  type PriceSheet,
  priceSheetAggregate,
  type PriceSheetVersion,
  type PricingBasis,
} from '#domain/price-sheet';
import { taxRatesAggregate } from '#domain/pricing';
import type { EventStore, LiveAggregates } from '#event-store';
import { isRetryableFault, type Log } from '#platform';
import { KEPT_ANSWER_BYTES, SHEETS_READ_AT_ONCE, SHELF_BOOKS, SHELF_ROWS } from './limits.js';
import { type ConversionOutcome, type KeptAnswers, PriceBook, sizeOfAnswer } from './price-book.js';
import { readStoredSheet } from './stored-sheets.js';

/** The streams that a book is made of, beside the rows of its sheet, which never change. */
export const PRICE_AGGREGATES = [priceSheetAggregate, taxRatesAggregate] as const;

interface PriceBooksOptions {
  readonly store: EventStore;
  /** Of `PRICE_AGGREGATES`, at least. */
  readonly live: LiveAggregates;
  readonly log: Log;
}

/** An app without a sheet has an entry, too, so that its book is not made again and again. */
interface Entry {
  readonly book: PriceBook;
  /** How many events the book shows, of the price sheet's stream and of the tax rates': never fewer again. */
  readonly eventCount: number;
  /** Undefined before the first sheet. */
  readonly stored?: { readonly rowsStream: string; readonly sheet: PriceSheet };
}

const CATEGORIES: ReadonlySet<string> = new Set(PRICE_AGGREGATES.map(({ category }) => category));

/**
 * The prices of all apps as conversions need them, in memory and current: a changed sheet or changed tax rates make a
 * new book, which takes the place of the old one in one step. A book is made when it is first asked for, and anew when
 * its streams change (rules/events 11). Rows of sheets are followed by no one: they are read when a version needs them.
 */
export class PriceBooks {
  private readonly shelf = new LRUCache<string, Entry>({
    max: SHELF_BOOKS,
    maxSize: SHELF_ROWS,
    sizeCalculation: ({ stored }) => (stored?.sheet.rowCount ?? 0) + 1,
  });
  /** Books being made; of two for the same app the one begun last is the newer. */
  private readonly making = new Map<string, Promise<Entry>>();
  private readonly readingSheets = pLimit(SHEETS_READ_AT_ONCE);
  private readonly answers: KeptAnswers = new LRUCache({
    maxSize: KEPT_ANSWER_BYTES,
    sizeCalculation: sizeOfAnswer,
  });
  /** Numbers the books, so that no answer of an old one is taken for one of the new. */
  private bookCount = 0;

  constructor(private readonly options: PriceBooksOptions) {
    options.live.onChange((streamNames) => this.renewAll(streamNames));
  }

  /**
   * Converts (rules/prices 7), from memory but for an app's first time.
   *
   * @param bytes the request as it came; `read` makes a request of them where they are new.
   * @throws Fault when prices must be read and the store does not answer; the errors of `read`.
   */
  async convert(
    appId: string,
    bytes: Buffer,
    read: (bytes: Buffer, at: Instant) => ConversionRequest,
    at: Instant,
  ): Promise<ConversionOutcome> {
    const entry = this.shelf.get(appId) ?? (await (this.making.get(appId) ?? this.make(appId)));
    return entry.book.convert(bytes, read, at);
  }

  /**
   * The rows of any version, from memory where it is the app's present one.
   *
   * @throws Fault when they must be read and the store does not answer.
   */
  async loadSheet(appId: string, version: PriceSheetVersion): Promise<PriceSheet> {
    const present = this.shelf.peek(appId)?.stored;
    if (present?.rowsStream === version.rowsStream) return present.sheet;
    return this.readingSheets(() => readStoredSheet(this.options.store, version));
  }

  /**
   * Resolves when the app's book is as in the store, also where this process did not hear of a change yet (rules/api
   * 15). @throws Fault as `convert` does.
   */
  async refresh(appId: string): Promise<void> {
    const { live } = this.options;
    await Promise.all([
      live.refresh(priceSheetAggregate, appId),
      live.refresh(taxRatesAggregate, appId),
    ]);
    await this.make(appId);
  }

  /** Makes the books in use anew that are changed by events of these streams. */
  private renewAll(streamNames: ReadonlySet<string>): void {
    const ofPrices = [...streamNames].filter((name) => CATEGORIES.has(categoryOf(name)));
    for (const appId of new Set(ofPrices.map(idOf))) {
      if (this.shelf.has(appId) || this.making.has(appId)) void this.renew(appId);
    }
  }

  /**
   * A change that this release cannot read leaves the book as it is. Where the store is out of reach,
   * the old book goes: who asks next has it made anew, or learns that it cannot be.
   */
  private async renew(appId: string): Promise<void> {
    try {
      await this.make(appId);
    } catch (error) {
      if (isRetryableFault(error)) this.shelf.delete(appId);
      else {
        this.options.log.error(
          { err: error, appId },
          'new prices cannot be read; the old ones stay',
        );
      }
    }
  }

  private make(appId: string): Promise<Entry> {
    const made = this.read(appId)
      .then((entry) => {
        this.shelve(appId, entry, this.making.get(appId) === made);
        return entry;
      })
      .finally(() => {
        if (this.making.get(appId) === made) this.making.delete(appId);
      });
    this.making.set(appId, made);
    return made;
  }

  /**
   * A book that was not begun last is not the newest; all the same, it takes the place of an older one:
   * a caller who waited for it must find nothing older afterwards.
   */
  private shelve(appId: string, entry: Entry, isBegunLast: boolean): void {
    const known = this.shelf.peek(appId);
    const isNewer = known !== undefined && known.eventCount < entry.eventCount;
    if (isBegunLast || isNewer) this.shelf.set(appId, entry);
  }

  /** Where nothing was changed the entry stays the same one, with all its kept answers. */
  private async read(appId: string): Promise<Entry> {
    const { live } = this.options;
    const [history, taxRates] = await Promise.all([
      live.get(priceSheetAggregate, appId),
      live.get(taxRatesAggregate, appId),
    ]);
    const eventCount = history.revision + taxRates.revision + 2;
    const known = this.shelf.peek(appId);
    if (known?.eventCount === eventCount) return known;
    const version = currentPriceSheet(history.state);
    if (version === undefined) return { book: this.createBook(undefined), eventCount };
    const sheet = await this.loadSheet(appId, version);
    const book = this.createBook({
      sheet,
      sheetVersion: version.version,
      taxRates: taxRates.state,
    });
    return { book, eventCount, stored: { rowsStream: version.rowsStream, sheet } };
  }

  private createBook(basis: PricingBasis | undefined): PriceBook {
    this.bookCount += 1;
    return new PriceBook(String(this.bookCount), basis, this.answers);
  }
}
