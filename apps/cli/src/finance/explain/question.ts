import { CliError } from '../../cli-error.js';
import { parsePeriod } from '../report-choices.js';

/** The thing that is to be explained. */
export type Question =
  | { readonly kind: 'entry' | 'payment' | 'subscription'; readonly id: string }
  | { readonly kind: 'figure'; readonly account: string; readonly period: string };

const ENTRY = /^[0-9a-f-]{36}#\d+(?:\/\d{4}-\d{2})?$/;
const FIGURE = /^(\S+:\S+)\s+(\S+)$/;

/** Tells questions apart by their form. @throws CliError `usage`. */
export function parseQuestion(text: string): Question {
  if (ENTRY.test(text)) return { kind: 'entry', id: text };
  if (text.startsWith('pay_')) return { kind: 'payment', id: text };
  if (text.startsWith('sub_')) return { kind: 'subscription', id: text };
  const [, account, period] = FIGURE.exec(text) ?? [];
  if (account !== undefined && period !== undefined) {
    return { kind: 'figure', account, period: parsePeriod(period, 'the period') };
  }
  const message = `${JSON.stringify(text)} is none of: an entry's id (EVENT#1, EVENT#1/2026-01), a payment, a subscription, "ACCOUNT PERIOD" ("income:subscriptions 2026-01").`;
  throw new CliError(message, 'usage');
}
