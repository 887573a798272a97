import {
  type AccountingPeriod,
  evolveBooks,
  findSubject,
  isMoneyEvent,
  isOfNoBooks,
  type JournalRow,
  NO_BOOKS,
  type PaymentBooks,
  post,
  type Subject,
} from '#domain/bookkeeping';
import { categoryOf, type Instant } from '#domain/event';
import { findSubscriptionId } from '#domain/payment';
import { FinanceTerms, type GivenTerms } from './finance-terms.js';
import type { BookedClose, ForeseenClose } from './foreseen-close.js';
import { PaymentStore } from './payment-store.js';
import type { BookedEvent, MakePoster, Poster } from './posted-log.js';
import { UnearnedPayments } from './unearned-payments.js';

/** Categories of streams whose events move money, or change how that of others is earned. */
const WANTED: ReadonlySet<string> = new Set(['payment', 'subscription', 'order', 'settlement']);

/** A poster by the rules. */
export const makeMoneyPoster: MakePoster = (folder, terms) => new MoneyPoster(folder, terms);

/** Posts the events of all apps by the rules (rules/finance 2), from the ledger's first event on. */
export class MoneyPoster implements Poster {
  readonly #terms: FinanceTerms;
  readonly #payments: PaymentStore;
  /** The ids of its payments by that of a subscription. */
  readonly #ofSubscriptions = new Map<string, string[]>();
  readonly #unearned: UnearnedPayments;

  /**
   * @param folder for payments that were not used lately: it exists.
   * @param mostInMemory how many of the others there are.
   */
  constructor(folder: string, terms: GivenTerms = {}, mostInMemory?: number) {
    this.#terms = new FinanceTerms(terms);
    this.#payments = new PaymentStore(folder, mostInMemory);
    this.#unearned = new UnearnedPayments(this.#payments);
  }

  get missed(): readonly ForeseenClose[] {
    return this.#terms.missed;
  }

  get closes(): readonly BookedClose[] {
    return this.#terms.closes;
  }

  get openPeriods(): ReadonlySet<AccountingPeriod> {
    return this.#terms.openPeriods;
  }

  isWanted(streamName: string, type: string): boolean {
    if (this.#terms.isOf(streamName)) return true;
    return WANTED.has(categoryOf(streamName)) && !isOfNoBooks(type);
  }

  post({ leaf, bookedAt, event }: BookedEvent): readonly JournalRow[] {
    if (this.#terms.isOf(event.streamName)) this.#terms.add(event, leaf);
    if (!isMoneyEvent(event)) return [];
    const subject = findSubject(event);
    // Rows of gateways' accounts have entries, and are folded by no payment.
    const paymentIds = subject === null ? [] : this.#findPayments(subject);
    const before = paymentIds.map((paymentId) => this.#payments.find(paymentId) ?? NO_BOOKS);
    const context = { leaf: BigInt(leaf), bookedAt, ...this.#terms.find(event.metadata, leaf) };
    const rows = post(event, before, context);
    this.#terms.note(rows, leaf);
    this.#unearned.note(rows);
    for (const [at, paymentId] of paymentIds.entries()) {
      const books = before[at] ?? NO_BOOKS;
      const after = evolveBooks(books, event, rows);
      this.#payments.set(paymentId, after);
      if (books.payment.status === 'none') this.#noteSubscription(paymentId, after);
    }
    return rows;
  }

  recognize(close: BookedClose, bookedAt: Instant): Iterable<readonly JournalRow[]> {
    return this.#unearned.recognize(close, bookedAt);
  }

  /** Gives the disk back. */
  end(): void {
    this.#payments.end();
  }

  #findPayments({ kind, id }: Subject): readonly string[] {
    return kind === 'payment' ? [id] : (this.#ofSubscriptions.get(id) ?? []);
  }

  #noteSubscription(paymentId: string, { payment }: PaymentBooks): void {
    if (payment.status === 'none') return;
    const subscriptionId = findSubscriptionId(payment.purpose);
    if (subscriptionId === '') return;
    const known = this.#ofSubscriptions.get(subscriptionId);
    if (known === undefined) this.#ofSubscriptions.set(subscriptionId, [paymentId]);
    else known.push(paymentId);
  }
}
