import { addMilliseconds } from '#domain/calendar';
import { idOf, type Instant, type Position } from '#domain/event';
import { paymentAggregate } from '#domain/payment';
import { type BucketRange, type EventStore, foldEvents, unfolded } from '#event-store';
import { forEachConcurrently } from '#platform';
import { compareBooks, type Difference, type LedgerPayment } from './compare-books.js';
import type { BookedCharge, GatewayBooks } from './gateway-books.js';
import { readGatewayKind } from './gateways.js';
import { readLog } from './read-log.js';

/** The store groups what is in flight, and programs go on beside. */
const PAYMENTS_AT_ONCE = 16;
/** Differences that are kept for a report, which counts all. */
const DIFFERENCES_NAMED = 1000;
/** Charges settle at once or within days, and refunds are asked for again at least every ten minutes. */
const OPEN_TOO_LONG_MS = 7 * 86_400_000;

export interface Reconciliation {
  /** Payments of the ledger that were compared, and charges in the gateway's books. */
  readonly payments: number;
  readonly charges: number;
  /** How many differences there are, and the first of them. */
  readonly found: number;
  readonly differences: readonly Difference[];
}

interface ReconcileOptions {
  readonly store: Pick<EventStore, 'subscribe' | 'headPosition' | 'readStream'>;
  readonly books: GatewayBooks;
  /** What was made or changed from then on is compared; everything for the epoch. */
  readonly since: Instant;
  /** By the wall clock. */
  readonly now: Instant;
  /** What the gateway did within this time may be on its way to the ledger. */
  readonly settlingMs: number;
  readonly buckets?: readonly BucketRange[] | undefined;
  /** What the ledger wrote before is not compared, unless the books list it. */
  readonly after?: Position | undefined;
  readonly onProgress?: (share: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Compares the gateway's books and the ledger both ways (rules/payments 16). What differs is read once more on both
 * sides, so that nothing is taken for a difference that only happened meanwhile. Nothing is changed.
 *
 * @throws Fault `unavailable` of the store or of the gateway.
 */
export async function reconcile(options: ReconcileOptions): Promise<Reconciliation> {
  const run = new Run(options);
  await run.compareListed();
  await run.compareLedger();
  return run.report();
}

class Run {
  /** The ids alone: books hold years of charges. */
  readonly #seen = new Set<string>();
  readonly #differences: Difference[] = [];
  readonly #openBefore: Instant;
  readonly #settledBefore: Instant;
  #charges = 0;
  #leftOut = 0;
  #found = 0;

  constructor(private readonly options: ReconcileOptions) {
    this.#openBefore = addMilliseconds(options.now, -OPEN_TOO_LONG_MS);
    this.#settledBefore = addMilliseconds(options.now, -options.settlingMs);
  }

  /** Page by page; a charge that changes meanwhile and comes again was read on both sides where it differed. */
  async compareListed(): Promise<void> {
    const { books, since, buckets, signal } = this.options;
    const onProgress = (share: number) => this.options.onProgress?.(share / 2);
    for await (const page of books.list({ since, buckets, onProgress, signal })) {
      const fresh = new Map(
        page.flatMap((charge) =>
          this.#seen.has(charge.key) ? [] : [[charge.key, charge] as const],
        ),
      );
      this.#charges += fresh.size;
      await this.#compareAll([...fresh.keys()], fresh);
    }
  }

  /** What the ledger asked for, and the gateway's books did not list. */
  async compareLedger(): Promise<void> {
    const { store, since, buckets, after, signal } = this.options;
    const onProgress = (share: number) => this.options.onProgress?.(0.5 + share / 2);
    const { category } = paymentAggregate;
    const log = { store, category, buckets, after, onProgress, signal };
    for await (const events of readLog(log)) {
      const changed = new Set<string>();
      for (const event of events) {
        const id = idOf(event.streamName);
        const isIn = 'undecodable' in event || event.metadata.occurredAt >= since;
        if (isIn && !this.#seen.has(id)) changed.add(id);
      }
      await this.#compareAll([...changed]);
    }
  }

  report(): Reconciliation {
    const payments = this.#seen.size - this.#leftOut;
    return {
      ...{ payments, charges: this.#charges, found: this.#found },
      differences: this.#differences,
    };
  }

  async #compareAll(
    paymentIds: readonly string[],
    booked?: ReadonlyMap<string, BookedCharge>,
  ): Promise<void> {
    await forEachConcurrently(paymentIds, PAYMENTS_AT_ONCE, async (paymentId) => {
      this.#seen.add(paymentId);
      for (const difference of await this.#compare(paymentId, booked?.get(paymentId))) {
        this.#found += 1;
        if (this.#differences.length < DIFFERENCES_NAMED) this.#differences.push(difference);
      }
    });
  }

  async #compare(
    paymentId: string,
    listed: BookedCharge | undefined,
  ): Promise<readonly Difference[]> {
    if (listed !== undefined && listed.changedAt > this.#settledBefore) return [];
    const payment = await this.#load(paymentId);
    if (listed === undefined && !isInBooks(payment, this.options.books)) {
      this.#leftOut += 1;
      // What is open for too long is open without any books.
      return compareBooks(payment, undefined, this.#openBefore).filter(
        ({ kind }) => kind !== 'charge_unknown_at_gateway',
      );
    }
    const first = compareBooks(payment, listed, this.#openBefore);
    if (first.length === 0) return first;
    const reference = listed?.reference ?? findReference(payment);
    const booked = await this.options.books.find({ key: paymentId, reference });
    return compareBooks(await this.#load(paymentId), booked, this.#openBefore);
  }

  async #load(paymentId: string): Promise<LedgerPayment> {
    const { category, decider } = paymentAggregate;
    const events = this.options.store.readStream(`${category}-${paymentId}`);
    const folded = await foldEvents(decider.evolve, unfolded(decider.initialState), events);
    return { paymentId, payment: folded.state };
  }
}

/** What another gateway took is in that one's books (decision 0112). */
function isInBooks({ payment }: LedgerPayment, { kind }: GatewayBooks): boolean {
  return payment.status === 'none' || readGatewayKind(payment.paymentMethod) === kind;
}

function findReference({ payment }: LedgerPayment): string {
  return payment.status === 'none' ? '' : payment.purpose.subscriptionId;
}
