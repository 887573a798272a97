import type { JournalRow } from '#domain/bookkeeping';
import { isSameMoney, type Money, money } from '#domain/money';
import type { SettlementRow } from '#domain/settlement';
import { isUnexplained } from '../settlement/expected-amounts.js';

type Category = SettlementRow['category'];

/** The event of the ledger that has moved the money of a row; its entry on gateway clearing names the second id. */
const MOVED_BY: ReadonlyMap<
  Category,
  { readonly type: string; readonly find: (row: SettlementRow) => string }
> = new Map([
  ['charge', { type: 'payment.captured.v1', find: ({ paymentId }) => paymentId }],
  ['refund', { type: 'payment.refunded.v1', find: ({ refundId }) => refundId }],
  ['refund_failure', { type: 'payment.refund_failed.v1', find: ({ refundId }) => refundId }],
  ['dispute', { type: 'payment.dispute_opened.v1', find: ({ sourceId }) => sourceId }],
  ['dispute_reversal', { type: 'payment.dispute_closed.v1', find: ({ sourceId }) => sourceId }],
]);

/** The movements of gateway clearing by the ledger's own events on some payments. */
export class ClearedAmounts {
  readonly #amounts = new Map<string, Money>();

  /** Takes a row of the journal on gateway clearing. */
  add({ payment, eventType, gatewayRef, side, amountMinor, currency }: JournalRow): void {
    const signed = side === 'debit' ? amountMinor : -amountMinor;
    this.#amounts.set(makeKey(payment, eventType, gatewayRef), money(signed, currency));
  }

  /** Whether the ledger has no such row, or another amount for it. */
  isOpen(row: SettlementRow): boolean {
    const moved = MOVED_BY.get(row.category);
    if (moved === undefined) return isUnexplained(row);
    const own = this.#amounts.get(makeKey(row.paymentId, moved.type, moved.find(row)));
    const shown = row.charged ?? money(row.grossMinor, row.currency);
    return own === undefined || !isSameMoney(own, shown);
  }
}

function makeKey(...parts: readonly string[]): string {
  return parts.join(' ');
}
