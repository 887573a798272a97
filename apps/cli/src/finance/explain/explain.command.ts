import process from 'node:process';
import { SubCommand } from 'nest-commander';
import { BooksReader } from '#books';
import { lastDay } from '#domain/bookkeeping';
import {
  explainFigure,
  findCheckpoint,
  findZone,
  PeriodBooks,
  type ReportEnd,
  toJsonEntry,
} from '#finance';
import { CliError } from '../../cli-error.js';
import { findBooksDir } from '../../data-dir.js';
import { Options } from '../../options.js';
import { print } from '../../output.js';
import { FinanceCommand, type FinanceOptions } from '../finance-command.js';
import { parseReportEnd } from '../report-choices.js';
import { sealAll } from '../seal-now.js';
import { type Answering, explainEntry } from './explain-entry.js';
import { explainNextCharge } from './explain-next-charge.js';
import { explainPayment } from './explain-payment.js';
import { printCharge, printEntry, printFigure, printPayment } from './print-explained.js';
import { parseQuestion, type Question } from './question.js';

interface ExplainOptions extends FinanceOptions {
  readonly asOf?: ReportEnd;
}

/** An answer for programs and for people. */
interface Answer {
  readonly value: object;
  readonly text: string;
}

@SubCommand({
  name: 'explain',
  arguments: '<what>',
  description:
    'where a figure comes from: an entry (EVENT#1, EVENT#1/2026-01), a payment, "ACCOUNT PERIOD" ("income:subscriptions 2026-01"); of a subscription, its next charge',
})
@Options({
  '--as-of <end>': [
    'the size of a checkpoint, an instant (the last checkpoint before it), or now (one is made first); the last checkpoint without it',
    parseReportEnd,
  ],
})
export class ExplainFigure extends FinanceCommand {
  async run([what = '']: string[], options: ExplainOptions): Promise<void> {
    const question = parseQuestion(what);
    const { value, text } = await this.withApp(options, async (app) => {
      if (question.kind === 'subscription') {
        const explained = await explainNextCharge(app, question.id);
        return { value: explained, text: printCharge(explained) };
      }
      const { asOf = 'last' } = options;
      const upTo = await findCheckpoint(app, asOf, () => sealAll(app.store, options));
      const { appId, store, context } = app;
      const folder = findBooksDir(options, process.env);
      const reading = { store, app: appId, environment: context.environment, upTo, folder };
      return BooksReader.with(reading, async (books) => {
        const answer = await answerQuestion({ app, books, upTo }, question);
        const { size } = upTo.checkpoint;
        const head = { checkpoint: { size, at: books.asOf } };
        const text = `as of leaf ${size} (${books.asOf})\n${answer.text}`;
        return { value: { ...head, ...answer.value }, text };
      });
    });
    print(options.json, toJsonValue(value), text);
  }
}

async function answerQuestion(of: Answering, question: Question): Promise<Answer> {
  switch (question.kind) {
    case 'entry': {
      const { row, ...explained } = await explainEntry(of, question.id);
      const value = { ...explained, entry: toJsonEntry(row) };
      return { value, text: printEntry({ ...explained, row }) };
    }
    case 'payment': {
      const { postings, ...explained } = await explainPayment(of, question.id);
      const listed = postings.map(({ rows, ...each }) => ({
        ...{ ...each, entries: rows.map(toJsonEntry) },
      }));
      const value = { ...explained, postings: listed };
      return { value, text: printPayment({ ...explained, postings }) };
    }
    case 'figure':
      return answerFigure(of, question);
    case 'subscription':
      throw new Error('the next charge is in no books');
  }
}

async function answerFigure(
  { app, books }: Answering,
  { account, period }: Extract<Question, { kind: 'figure' }>,
): Promise<Answer> {
  await findZone(app, period);
  const opened = await PeriodBooks.open(books, { period, effectiveUntil: lastDay(period) });
  const figure = await explainFigure(opened, account);
  if (figure.balances.length === 0) {
    const message = `${app.appId} has no entry on ${account} up to ${period}: "finance trial-balance --period ${period}" lists its accounts.`;
    throw new CliError(message, 'refused', [], 'ACCOUNT_NOT_FOUND');
  }
  const value = { ...figure, entries: figure.entries.map(toJsonEntry) };
  return { value, text: printFigure(figure) };
}

/** Minor units are digits, since they may be beyond 2^53. */
function toJsonValue(value: object): unknown {
  const print = (_: string, each: unknown) => (typeof each === 'bigint' ? each.toString() : each);
  return JSON.parse(JSON.stringify(value, print)) as unknown;
}
