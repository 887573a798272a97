import { findCapturedLine, type JournalRow } from '#domain/bookkeeping';
import { financeAggregate, findPolicy } from '#domain/finance';
import { paymentAggregate, type PaymentLine } from '#domain/payment';
import { planAggregate } from '#domain/plan';
import { renderLine } from '#representations';
import type { FoundCheckpoint } from '#sealing';
import type { FinanceApp } from '../finance-app.js';
import { FinanceRefusal } from '../finance-refusal.js';
import { printSql } from '../report/print-summary.js';
import type { ReadBooks } from '../report/read-books.js';
import { type ExplainedEvent, explainEvent } from './explain-event.js';
import { type ExplainedRecognition, findRecognition } from './recognition.js';
import { describeLine, describeRule } from './rule-words.js';

/** A line of a payment with the way in which its amount came about. */
export type ExplainedLine = ReturnType<typeof renderLine> & {
  readonly because: string;
  readonly plan: { readonly code: string; readonly name: string } | null;
};

/** An entry, and everything that it follows from. */
export interface ExplainedEntry {
  readonly kind: 'entry';
  readonly row: JournalRow;
  readonly because: string;
  /** Of money that was earned: the entries of its schedule; null for other entries. */
  readonly recognition: ExplainedRecognition | null;
  /** The line of the payment that the entry, or the beginning of its schedule, is for; null where it is for none. */
  readonly line: ExplainedLine | null;
  /** Null where the event was erased. */
  readonly event: ExplainedEvent | null;
}

/** The books of an app, as questions about them are answered. */
export interface Answering {
  readonly app: FinanceApp;
  readonly books: ReadBooks;
  readonly upTo: FoundCheckpoint;
}

/** @throws FinanceRefusal for an entry that the books do not have; Fault of the store. */
export async function explainEntry(of: Answering, entry: string): Promise<ExplainedEntry> {
  const recognition = entry.includes('/') ? await findEarned(of, entry) : null;
  const row = recognition?.row ?? (await readRows(of, `entry = ${printSql(entry, 'VARCHAR')}`))[0];
  if (row === undefined) {
    const { size } = of.upTo.checkpoint;
    const message = `The books of ${of.app.appId} have no entry ${entry} as of leaf ${size}: "finance journal" lists them.`;
    throw new FinanceRefusal('ENTRY_NOT_FOUND', message);
  }
  const line = await findLine(of, recognition?.origin ?? row);
  const event = (await explainEvent(of.app, row, of.upTo)) ?? null;
  return { kind: 'entry', row, because: describeRule(row.rule), recognition, line, event };
}

/** All rows that meet a condition: those of one payment or event, which are few. */
export async function readRows({ books }: Answering, condition: string): Promise<JournalRow[]> {
  const rows: JournalRow[] = [];
  for await (const row of books.rows(condition)) rows.push(row);
  return rows;
}

async function findEarned(of: Answering, entry: string): Promise<ExplainedRecognition | null> {
  const [eventId = ''] = entry.split('#');
  const [begun] = await readRows(
    of,
    `event_id = ${printSql(eventId, 'VARCHAR')} AND NOT contains(entry, '/')`,
  );
  if (begun === undefined) return null;
  const rows = await readRows(of, `payment = ${printSql(begun.payment, 'VARCHAR')}`);
  return findRecognition(entry, rows, of.books.asOf) ?? null;
}

async function findLine({ app }: Answering, row: JournalRow): Promise<ExplainedLine | null> {
  if (row.eventType !== 'payment.captured.v1') return null;
  const { state: payment } = await app.commands.load(paymentAggregate, row.payment);
  if (payment.status === 'none') return null;
  const { state: finance } = await app.commands.load(financeAggregate, app.appId);
  const line = findCapturedLine(payment, row, findPolicy(finance, row.effectiveOn));
  return line === null ? null : explainLine(app, line);
}

/** A line with its plan's name. */
export async function explainLine(app: FinanceApp, line: PaymentLine): Promise<ExplainedLine> {
  const rendered = { ...renderLine(line), because: describeLine(line) };
  if (line.origin === null) return { ...rendered, plan: null };
  const { state } = await app.commands.load(planAggregate, line.origin.planId);
  return {
    ...rendered,
    plan: state.status === 'none' ? null : { code: state.code, name: state.name },
  };
}

/** Entries by their events, in the order of the books. */
export function listEvents(rows: readonly JournalRow[]): readonly (readonly JournalRow[])[] {
  const events = new Map<string, JournalRow[]>();
  for (const row of rows) {
    const own = events.get(row.eventId);
    if (own === undefined) events.set(row.eventId, [row]);
    else own.push(row);
  }
  return [...events.values()];
}
