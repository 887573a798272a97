import type { JournalRow } from '#domain/bookkeeping';
import type { Money } from '#domain/money';
import { paymentAggregate } from '#domain/payment';
import { FinanceRefusal } from '../finance-refusal.js';
import { printSql } from '../report/print-summary.js';
import {
  type Answering,
  type ExplainedLine,
  explainLine,
  listEvents,
  readRows,
} from './explain-entry.js';
import { type ExplainedEvent, explainEvent } from './explain-event.js';
import { describeRule } from './rule-words.js';

/** The entries of one event. */
interface ExplainedPosting {
  readonly because: string;
  readonly rows: readonly JournalRow[];
  /** Null where the event was erased. */
  readonly event: ExplainedEvent | null;
}

/** A payment with its lines, and all entries that were posted for it, by event. */
export interface ExplainedPayment {
  readonly kind: 'payment';
  readonly payment: string;
  readonly status: string;
  readonly amount: Money;
  readonly lines: readonly ExplainedLine[];
  readonly postings: readonly ExplainedPosting[];
}

/** @throws FinanceRefusal for a payment that the app does not have; Fault of the store. */
export async function explainPayment(of: Answering, paymentId: string): Promise<ExplainedPayment> {
  const { app, upTo } = of;
  const { state } = await app.commands.load(paymentAggregate, paymentId);
  if (state.status === 'none' || state.appId !== app.appId) {
    const message = `There is no payment ${paymentId} in ${app.appId}.`;
    throw new FinanceRefusal('PAYMENT_NOT_FOUND', message);
  }
  const { status, amount } = state;
  const lines: ExplainedLine[] = [];
  for (const line of state.lines) lines.push(await explainLine(app, line));
  const postings: ExplainedPosting[] = [];
  const entries = await readRows(
    of,
    `payment = ${printSql(paymentId, 'VARCHAR')} AND NOT contains(entry, '/')`,
  );
  for (const rows of listEvents(entries)) {
    const [first] = rows;
    if (first === undefined) continue;
    const event = (await explainEvent(app, first, upTo)) ?? null;
    postings.push({ because: describeRule(first.rule), rows, event });
  }
  return { kind: 'payment', payment: paymentId, status, amount, lines, postings };
}
