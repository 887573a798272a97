import type { GatewayKind } from '#domain/app';
import type { Payment } from '#domain/payment';
import { Fault } from '#platform';
import type { ChargeQuery } from './gateway.js';
import type { BookedCharge, BooksQuery, GatewayBooks } from './gateway-books.js';
import { readGatewayKind } from './gateways.js';

/** Books that could not be read, or not to their end: their entries were not compared. */
export interface UnreadBooks {
  readonly kind: GatewayKind;
  readonly appId: string;
  readonly why: string;
}

/**
 * The books of all accounts (rules/payments 16). One app's account that is out of reach, or whose keys do not open,
 * stops the comparison of no other; the sandbox's books are in the ledger's own store, so that they stop all.
 */
export class ComparedBooks {
  readonly #unread = new Map<GatewayBooks, string>();

  /** @param limitMs of reading the books of one app; no limit where it is not given. */
  constructor(
    private readonly all: readonly GatewayBooks[],
    private readonly limitMs: number | undefined,
  ) {}

  /** Page by page. @throws Fault of the store. */
  async *list(
    query: BooksQuery,
  ): AsyncGenerator<{ readonly books: GatewayBooks; readonly page: readonly BookedCharge[] }> {
    for (const [index, books] of this.all.entries()) {
      const onProgress = (share: number) => query.onProgress((index + share) / this.all.length);
      const limits = books.appId === undefined || this.limitMs === undefined ? [] : [this.limitMs];
      const [limit] = limits.map((ms) => AbortSignal.timeout(ms));
      const signal = limit === undefined ? query.signal : AbortSignal.any([query.signal, limit]);
      try {
        for await (const page of books.list({ ...query, onProgress, signal })) {
          yield { books, page };
        }
        if (limit?.aborted) this.#unread.set(books, `reading them took over ${this.limitMs} ms`);
      } catch (error) {
        this.#leave(books, error);
      }
      onProgress(1);
    }
  }

  /** The books of the account that took a payment; undefined where they could not be read. */
  findFor(payment: Payment): GatewayBooks | undefined {
    if (payment.status === 'none') return undefined;
    const kind = readGatewayKind(payment.paymentMethod);
    const books = this.all.find(
      (each) => each.kind === kind && (each.appId ?? payment.appId) === payment.appId,
    );
    return books !== undefined && this.#unread.has(books) ? undefined : books;
  }

  /** One charge, or that its books cannot be read. @throws Fault of the store. */
  async find(
    books: GatewayBooks,
    query: ChargeQuery,
  ): Promise<BookedCharge | 'unread' | undefined> {
    try {
      return await books.find(query);
    } catch (error) {
      this.#leave(books, error);
      return 'unread';
    }
  }

  unread(): readonly UnreadBooks[] {
    return [...this.#unread].map(([{ kind, appId = '' }, why]) => ({ kind, appId, why }));
  }

  #leave(books: GatewayBooks, error: unknown): void {
    if (books.appId === undefined || !(error instanceof Fault)) throw error;
    this.#unread.set(books, error.message);
  }
}
