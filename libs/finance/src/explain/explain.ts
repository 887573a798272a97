import { lastDay } from '#domain/bookkeeping';
import type { Instant } from '#domain/event';
import { FinanceRefusal } from '../finance-refusal.js';
import { findCheckpoint } from '../report/find-checkpoint.js';
import { toJsonEntry } from '../report/journal-json.js';
import { findZone, type ReportSources } from '../report/open-report.js';
import { PeriodBooks } from '../report/period-books.js';
import type { ReportEnd } from '../report/question.js';
import { type Answering, type ExplainedEntry, explainEntry } from './explain-entry.js';
import { type ExplainedCharge, explainNextCharge } from './explain-next-charge.js';
import { type ExplainedPayment, explainPayment } from './explain-payment.js';
import { type ExplainedFigure, explainFigure } from './figure.js';
import type { Explainable } from './question.js';

/** The answer to a question where a figure comes from (rules/finance 43). */
export interface FinanceExplanation {
  /** It counts to this one; null for a next charge, which is of now. */
  readonly checkpoint: { readonly size: number; readonly at: Instant } | null;
  readonly explained: ExplainedEntry | ExplainedPayment | ExplainedFigure | ExplainedCharge;
}

/** @throws FinanceRefusal for a thing that the app does not have, and as `withReport`; Fault. */
export async function explain(
  { app, withBooks, seal }: ReportSources,
  wanted: Explainable,
  asOf: ReportEnd,
): Promise<FinanceExplanation> {
  if (wanted.kind === 'subscription') {
    return { checkpoint: null, explained: await explainNextCharge(app, wanted.id) };
  }
  const upTo = await findCheckpoint(app, asOf, seal);
  const { appId, store, context } = app;
  const reading = { store, app: appId, environment: context.environment, upTo };
  return withBooks(reading, async (books) => ({
    checkpoint: { size: upTo.checkpoint.size, at: books.asOf },
    explained: await explainBooked({ app, books, upTo }, wanted),
  }));
}

async function explainBooked(
  of: Answering,
  wanted: Exclude<Explainable, { kind: 'subscription' }>,
) {
  if (wanted.kind === 'figure') return explainAccount(of, wanted);
  return wanted.kind === 'entry' ? explainEntry(of, wanted.id) : explainPayment(of, wanted.id);
}

async function explainAccount(
  { app, books }: Answering,
  { account, period }: Extract<Explainable, { kind: 'figure' }>,
): Promise<ExplainedFigure> {
  await findZone(app, period);
  const opened = await PeriodBooks.open(books, { period, effectiveUntil: lastDay(period) });
  const figure = await explainFigure(opened, account);
  if (figure.balances.length > 0) return figure;
  const message = `${app.appId} has no entry on ${account} up to ${period}: "finance trial-balance --period ${period}" lists its accounts.`;
  throw new FinanceRefusal('ACCOUNT_NOT_FOUND', message);
}

/** An explanation for programs: minor units are digits, since they may be beyond 2^53. */
export function toJsonExplanation({ checkpoint, explained }: FinanceExplanation): object {
  const value = { ...(checkpoint !== null && { checkpoint }), ...withJsonEntries(explained) };
  const print = (_: string, each: unknown) => (typeof each === 'bigint' ? each.toString() : each);
  // An object stays one.
  return JSON.parse(JSON.stringify(value, print)) as object;
}

function withJsonEntries(explained: FinanceExplanation['explained']): object {
  switch (explained.kind) {
    case 'entry': {
      const { row, ...others } = explained;
      return { ...others, entry: toJsonEntry(row) };
    }
    case 'payment': {
      const { postings, ...others } = explained;
      const listed = postings.map(({ rows, ...each }) => ({
        ...{ ...each, entries: rows.map(toJsonEntry) },
      }));
      return { ...others, postings: listed };
    }
    case 'figure':
      return { ...explained, entries: explained.entries.map(toJsonEntry) };
    case 'next_charge':
      return explained;
  }
}
