import { addMilliseconds } from '#domain/calendar';
import { idOf, type Instant, type Position } from '#domain/event';
import { findReference, paymentAggregate } from '#domain/payment';
import { type BucketRange, type EventStore, foldEvents, readLog, unfolded } from '#event-store';
import { forEachConcurrently } from '#platform';
import { compareBooks, type Difference } from './compare-books.js';
import { ComparedBooks, type UnreadBooks } from './compared-books.js';
import type { BookedCharge, GatewayBooks } from './gateway-books.js';
import { evolveLedgerPayment, type LedgerPayment, noLedgerPayment } from './ledger-payment.js';

/** The store groups reads in flight, and programs go on beside. */
const PAYMENTS_AT_ONCE = 16;
/** Charges settle at once or within days, and refunds are asked for again at least every ten minutes. */
const OPEN_TOO_LONG_MS = 7 * 86_400_000;

export interface Reconciliation {
  /** Payments of the ledger that were compared, and charges in the gateway's books. */
  readonly payments: number;
  readonly charges: number;
  /** How many differences there are. */
  readonly found: number;
  /** Of the payments there only those that are open for too long were looked for. */
  readonly unread: readonly UnreadBooks[];
}

interface ReconcileOptions {
  readonly store: Pick<EventStore, 'subscribe' | 'headPosition' | 'readStream'>;
  /** Of all accounts. */
  readonly books: readonly GatewayBooks[];
  /** How long the books of one app may take; no limit where it is not given. */
  readonly accountLimitMs?: number;
  /** Payments that were made or changed from then on are compared; all for the epoch. */
  readonly since: Instant;
  /** By the wall clock. */
  readonly now: Instant;
  /** A gateway's act within this time may be on its way to the ledger. */
  readonly settlingMs: number;
  readonly buckets?: readonly BucketRange[] | undefined;
  /** Payments of this app alone; of all apps without it. */
  readonly appId?: string;
  /** Earlier payments of the ledger are not compared, unless the books list them. */
  readonly after?: Position | undefined;
  readonly onProgress?: (share: number) => void;
  /** Each difference as it is found: there may be as many as there are payments. */
  readonly onDifference: (difference: Difference) => void;
  readonly signal: AbortSignal;
}

/**
 * Compares the gateway's books and the ledger both ways (rules/payments 16). Differing payments are read once more on
 * both sides, so that a change meanwhile is not taken for a difference. Nothing is changed. Books of an app that cannot
 * be read are named in the report.
 *
 * @throws Fault `unavailable` of the store.
 */
export async function reconcile(options: ReconcileOptions): Promise<Reconciliation> {
  const run = new Run(options);
  await run.compareListed();
  await run.compareLedger();
  return run.report();
}

/** A page of the books of one account. */
interface Listed {
  readonly books: GatewayBooks;
  readonly booked: ReadonlyMap<string, BookedCharge>;
}

class Run {
  /** The ids alone: books hold years of charges. */
  readonly #seen = new Set<string>();
  readonly #openBefore: Instant;
  readonly #settledBefore: Instant;
  #charges = 0;
  #leftOut = 0;
  #found = 0;
  readonly #books: ComparedBooks;

  constructor(private readonly options: ReconcileOptions) {
    this.#books = new ComparedBooks(options.books, options.accountLimitMs);
    this.#openBefore = addMilliseconds(options.now, -OPEN_TOO_LONG_MS);
    this.#settledBefore = addMilliseconds(options.now, -options.settlingMs);
  }

  /** Page by page; a charge that changes meanwhile and comes again was read on both sides where it differed. */
  async compareListed(): Promise<void> {
    const { since, buckets, signal } = this.options;
    const onProgress = (share: number) => this.options.onProgress?.(share / 2);
    const query = { since, buckets, onProgress, signal };
    for await (const { books, page } of this.#books.list(query)) {
      const fresh = new Map(
        page.flatMap((charge) =>
          this.#seen.has(charge.key) ? [] : [[charge.key, charge] as const],
        ),
      );
      this.#charges += fresh.size;
      await this.#compareAll([...fresh.keys()], { books, booked: fresh });
    }
  }

  /** Compares the payments that the ledger asked for, and the gateway's books did not list. */
  async compareLedger(): Promise<void> {
    const { store, since, buckets, after, signal, appId } = this.options;
    const onProgress = (share: number) => this.options.onProgress?.(0.5 + share / 2);
    const categories = [paymentAggregate.category];
    const log = { store, categories, buckets, after, onProgress, signal };
    for await (const { events } of readLog(log)) {
      const changed = new Set<string>();
      for (const event of events) {
        const id = idOf(event.streamName);
        const isIn =
          'undecodable' in event ||
          (event.metadata.occurredAt >= since &&
            event.metadata.appId === (appId ?? event.metadata.appId));
        if (isIn && !this.#seen.has(id)) changed.add(id);
      }
      await this.#compareAll([...changed]);
    }
  }

  report(): Reconciliation {
    const payments = this.#seen.size - this.#leftOut;
    return {
      ...{ payments, charges: this.#charges, found: this.#found },
      unread: this.#books.unread(),
    };
  }

  async #compareAll(paymentIds: readonly string[], listed?: Listed): Promise<void> {
    await forEachConcurrently(paymentIds, PAYMENTS_AT_ONCE, async (paymentId) => {
      this.#seen.add(paymentId);
      for (const difference of await this.#compare(paymentId, listed)) {
        this.#found += 1;
        this.options.onDifference(difference);
      }
    });
  }

  async #compare(paymentId: string, from: Listed | undefined): Promise<readonly Difference[]> {
    const listed = from?.booked.get(paymentId);
    if (listed !== undefined && listed.changedAt > this.#settledBefore) return [];
    const ledger = await this.#load(paymentId);
    if (!this.#isWanted(ledger, from?.books)) return [];
    const books = from?.books ?? this.#books.findFor(ledger.payment);
    if (books === undefined) return this.#leaveOut(ledger);
    const first = compareBooks(ledger, listed, this.#openBefore);
    if (first.length === 0) return first;
    const reference = listed?.reference ?? referenceIn(ledger);
    const booked = await this.#books.find(books, { key: paymentId, reference });
    if (booked === 'unread') return this.#leaveOut(ledger);
    return compareBooks(await this.#load(paymentId), booked, this.#openBefore);
  }

  /** A charge that the ledger does not have is of the app whose account it is in. */
  #isWanted({ payment }: LedgerPayment, books: GatewayBooks | undefined): boolean {
    const { appId } = this.options;
    const found = payment.status === 'none' ? books?.appId : payment.appId;
    return appId === undefined || found === appId;
  }

  /** A payment that is open for too long is open without any books. */
  #leaveOut(ledger: LedgerPayment): readonly Difference[] {
    this.#leftOut += 1;
    return compareBooks(ledger, undefined, this.#openBefore).filter(
      ({ kind }) => kind !== 'charge_unknown_at_gateway',
    );
  }

  async #load(paymentId: string): Promise<LedgerPayment> {
    const events = this.options.store.readStream(`${paymentAggregate.category}-${paymentId}`);
    const before = unfolded(noLedgerPayment(paymentId));
    return (await foldEvents(evolveLedgerPayment, before, events)).state;
  }
}

function referenceIn({ payment }: LedgerPayment): string {
  return payment.status === 'none' ? '' : findReference(payment.purpose);
}
